import type { StatefulSet } from '../../api/types/apps-v1.ts'
import { isAvailable, type PodFacts } from '../pods/pod-facts.ts'

/** What is looked at to decide about a StatefulSet. */
export interface StatefulSetState {
  readonly set: StatefulSet
  readonly pods: ReadonlyMap<number, PodFacts>
  /** The name of the revision that is wanted now. */
  readonly updateRevision: string
  readonly nowMs: number
}

export interface OrdinalPod {
  readonly ordinal: number
  readonly pod: PodFacts
}

/** It runs, has been ready for long enough, and stays. */
export function isWorking({ set, nowMs }: Pick<StatefulSetState, 'set' | 'nowMs'>, pod: PodFacts): boolean {
  return pod.phase === 'Running' && !pod.isBeingDeleted && isAvailable(pod, set.spec.minReadySeconds ?? 0, nowMs)
}
