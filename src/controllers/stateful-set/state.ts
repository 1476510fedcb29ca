import type { StatefulSet } from '../../api/types/apps-v1.ts'
import { isAvailable, type PodFacts } from '../pods/pod-facts.ts'

/** The facts from which a StatefulSet is planned. */
export interface StatefulSetState {
  readonly set: StatefulSet
  readonly pods: ReadonlyMap<number, PodFacts>
  /** The name of the wanted revision. */
  readonly updateRevision: string
  readonly nowMs: number
}

export interface OrdinalPod {
  readonly ordinal: number
  readonly pod: PodFacts
}

/** The Pod runs, has been ready for long enough, and is not being deleted. */
export function isWorking({ set, nowMs }: Pick<StatefulSetState, 'set' | 'nowMs'>, pod: PodFacts): boolean {
  return pod.phase === 'Running' && !pod.isBeingDeleted && isAvailable(pod, set.spec.minReadySeconds ?? 0, nowMs)
}
