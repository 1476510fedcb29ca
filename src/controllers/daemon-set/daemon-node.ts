import type { KubeObject } from '../../api/object.ts'
import { nanosOf } from '../../api/quantity.ts'
import type { Node, Taint } from '../../api/types/core-v1.ts'
import { deepEqual } from '../../base/equal.ts'
import { type NodeReadiness, readinessOf } from '../nodes/eviction-taints.ts'
import { type Owned, ownedFrom } from '../ownership/owned.ts'

/** What controllers need to know about a Node. */
export interface DaemonNode extends Owned {
  readonly taints: readonly Taint[]
  readonly readiness: NodeReadiness
  /** Allocatable CPU in nanos; 0 if the node does not report it. */
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

/** Nodes report their health often, which changes nothing here. */
export function isSamePlace(before: DaemonNode, after: DaemonNode): boolean {
  return deepEqual(before.labels, after.labels) && deepEqual(before.taints, after.taints)
}
