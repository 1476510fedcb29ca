import type { ReplicaSetCondition, ReplicaSetStatus } from '../../api/types/apps-v1.ts'
import { timestamp } from '../../base/clock.ts'
import { isAvailable, type PodFacts } from '../pods/pod-facts.ts'
import type { PodFailure } from '../pods/pod-writes.ts'
import { counted } from '../run/counted.ts'
import type { Replicated } from './replicated.ts'

const failureType = 'ReplicaFailure'

export function replicaStatus(
  { object, minReadySeconds, template, status }: Replicated,
  active: readonly PodFacts[],
  failure: PodFailure | undefined,
  nowMs: number,
): ReplicaSetStatus {
  const templateLabels = Object.entries(template?.metadata.labels ?? {})
  const isFullyLabeled = ({ labels }: PodFacts) => templateLabels.every(([key, value]) => labels[key] === value)
  const conditions = conditionsAfter(status.conditions ?? [], failure, nowMs)
  return {
    replicas: active.length,
    ...counted('fullyLabeledReplicas', active.filter(isFullyLabeled).length),
    ...counted('readyReplicas', active.filter(({ isReady }) => isReady).length),
    ...counted('availableReplicas', active.filter((pod) => isAvailable(pod, minReadySeconds, nowMs)).length),
    ...counted('observedGeneration', object.metadata.generation ?? 0),
    ...(conditions.length > 0 && { conditions }),
  }
}

/** The first failure stays unchanged until there is none. */
function conditionsAfter(
  before: readonly ReplicaSetCondition[],
  failure: PodFailure | undefined,
  nowMs: number,
): readonly ReplicaSetCondition[] {
  const isKnown = before.some(({ type }) => type === failureType)
  if (failure === undefined) return isKnown ? before.filter(({ type }) => type !== failureType) : before
  if (isKnown) return before
  return [...before, { type: failureType, status: 'True', lastTransitionTime: timestamp(nowMs), ...failure }]
}
