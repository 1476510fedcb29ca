import type { ReplicaSetCondition, ReplicaSetStatus } from '../../api/types/apps-v1.ts'
import { timestamp } from '../../base/clock.ts'
import { availableAtMs, isAvailable, type PodFacts } from '../pods/pod-facts.ts'
import type { Replicated } from './replicated.ts'

export interface ReplicaFailure {
  readonly reason: 'FailedCreate' | 'FailedDelete'
  readonly message: string
}

const failureType = 'ReplicaFailure'

export function replicaStatus(
  { object, minReadySeconds, template, status }: Replicated,
  active: readonly PodFacts[],
  failure: ReplicaFailure | undefined,
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

/** When the next Pod becomes available by itself, which nothing tells. */
export function nextAvailableMs(
  { minReadySeconds }: Replicated,
  active: readonly PodFacts[],
  nowMs: number,
): number | undefined {
  const times = active.map((pod) => availableAtMs(pod, minReadySeconds)).filter((atMs) => atMs !== undefined)
  const ahead = times.filter((atMs) => atMs > nowMs)
  return ahead.length === 0 ? undefined : ahead.reduce((first, atMs) => Math.min(first, atMs))
}

/** Kubernetes leaves out what is zero. */
function counted<Name extends string>(name: Name, count: number): { readonly [member in Name]?: number } {
  return (count === 0 ? {} : { [name]: count }) as { readonly [member in Name]?: number }
}

/** The first failure stays as it was told until there is none. */
function conditionsAfter(
  before: readonly ReplicaSetCondition[],
  failure: ReplicaFailure | undefined,
  nowMs: number,
): readonly ReplicaSetCondition[] {
  const isKnown = before.some(({ type }) => type === failureType)
  if (failure === undefined) return isKnown ? before.filter(({ type }) => type !== failureType) : before
  if (isKnown) return before
  return [...before, { type: failureType, status: 'True', lastTransitionTime: timestamp(nowMs), ...failure }]
}
