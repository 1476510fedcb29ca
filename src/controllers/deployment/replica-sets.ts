import type { Deployment, ReplicaSet } from '../../api/types/apps-v1.ts'
import { revisionOf } from './annotations.ts'
import { sameTemplateAs } from './template.ts'

/** The ReplicaSets of a Deployment. */
export interface ReplicaSets {
  /** The one with the current template, if it exists. */
  readonly current: ReplicaSet | undefined
  readonly older: readonly ReplicaSet[]
}

/** If several have the template of the Deployment, the oldest counts, so that the choice is stable. */
export function sortedOut({ spec }: Deployment, replicaSets: readonly ReplicaSet[]): ReplicaSets {
  const isSame = sameTemplateAs(spec.template)
  const current = replicaSets.toSorted(byAge).find((each) => isSame(each.spec.template))
  return { current, older: replicaSets.filter((each) => each !== current) }
}

export function allOf({ current, older }: ReplicaSets): readonly ReplicaSet[] {
  return current === undefined ? older : [...older, current]
}

export function sizeOf({ spec }: ReplicaSet): number {
  return spec.replicas ?? 1
}

export function totalSize(replicaSets: readonly ReplicaSet[]): number {
  return total(replicaSets, sizeOf)
}

/** Pods that it has or will have: Pods to be removed still count until the ReplicaSet reports that they are gone. */
export function occupiedBy(replicaSet: ReplicaSet): number {
  return Math.max(sizeOf(replicaSet), replicaSet.status.replicas)
}

/** Pods may still be created for an earlier size. */
export function isLagging({ metadata, status }: ReplicaSet): boolean {
  return (status.observedGeneration ?? 0) < (metadata.generation ?? 0)
}

export function totalAvailable(replicaSets: readonly ReplicaSet[]): number {
  return total(replicaSets, availableIn)
}

export function availableIn({ status }: ReplicaSet): number {
  return status.availableReplicas ?? 0
}

export function total(replicaSets: readonly ReplicaSet[], count: (replicaSet: ReplicaSet) => number): number {
  return replicaSets.reduce((sum, each) => sum + count(each), 0)
}

export function activeAmong(replicaSets: readonly ReplicaSet[]): readonly ReplicaSet[] {
  return replicaSets.filter((each) => sizeOf(each) > 0)
}

/** The oldest first. */
export function byAge({ metadata: left }: ReplicaSet, { metadata: right }: ReplicaSet): number {
  return (
    compared(left.creationTimestamp ?? '', right.creationTimestamp ?? '') || compared(left.name ?? '', right.name ?? '')
  )
}

/** The oldest revision first. */
export function byRevision(left: ReplicaSet, right: ReplicaSet): number {
  return compared(revisionOf(left), revisionOf(right)) || byAge(left, right)
}

function compared<Value extends string | bigint>(left: Value, right: Value): number {
  return left < right ? -1 : Number(left > right)
}
