import type { StatefulSet, StatefulSetStatus } from '../../api/types/apps-v1.ts'
import { isAvailable, type PodFacts } from '../pods/pod-facts.ts'
import { counted } from '../run/counted.ts'
import { replicasOf, revisionLabel } from './identity.ts'

export interface RevisionNames {
  readonly current: string
  readonly update: string
}

export function statefulSetStatus(
  set: StatefulSet,
  pods: readonly PodFacts[],
  { current, update }: RevisionNames,
  nowMs: number,
): StatefulSetStatus {
  const { minReadySeconds = 0, updateStrategy } = set.spec
  const ready = pods.filter(({ phase, isReady }) => phase === 'Running' && isReady)
  const staying = pods.filter(({ isBeingDeleted }) => !isBeingDeleted)
  const countOf = (revision: string) => staying.filter(({ labels }) => labels[revisionLabel] === revision).length
  const updated = countOf(update)
  const isComplete =
    updateStrategy.type !== 'OnDelete' &&
    [updated, ready.length, pods.length].every((count) => count === replicasOf(set))
  const settled = isComplete ? update : current
  const { conditions } = set.status
  return {
    ...counted('observedGeneration', set.metadata.generation ?? 0),
    replicas: pods.length,
    ...counted('readyReplicas', ready.length),
    availableReplicas: ready.filter((pod) => isAvailable(pod, minReadySeconds, nowMs)).length,
    ...counted('currentReplicas', countOf(settled)),
    ...counted('updatedReplicas', updated),
    currentRevision: settled,
    updateRevision: update,
    collisionCount: set.status.collisionCount ?? 0,
    ...(conditions && { conditions }),
  }
}
