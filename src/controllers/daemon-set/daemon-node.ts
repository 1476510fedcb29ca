import type { KubeObject } from '../../api/object.ts'
import { nanosOf } from '../../api/quantity.ts'
import type { Node, Taint } from '../../api/types/core-v1.ts'
import { deepEqual } from '../../base/equal.ts'
import { type NodeReadiness, readinessOf } from '../nodes/eviction-taints.ts'
import { type Owned, ownedFrom } from '../ownership/owned.ts'

/** What controllers ask of a Node. */
export interface DaemonNode extends Owned {
  readonly taints: readonly Taint[]
  readonly readiness: NodeReadiness
  /** As much as Pods may have of it, in nanos; 0 if it does not say. */
  readonly cpu: bigint
}

export function daemonNodeFrom(object: KubeObject): DaemonNode {
  const { allocatable } = Object(object.status) as Node['status']
  return {
    ...ownedFrom(object),
    taints: (object as Node).spec.taints ?? [],
    readiness: readinessOf(object),
    cpu: nanosOf(allocatable?.cpu ?? 0),
  }
}

/** Nodes tell often that they are well. That changes nothing here. */
export function isSamePlace(before: DaemonNode, after: DaemonNode): boolean {
  return deepEqual(before.labels, after.labels) && deepEqual(before.taints, after.taints)
}
