import type { KubeObject } from '../../api/object.ts'
import type { Node, Taint } from '../../api/types/core-v1.ts'
import { noExecute } from './eviction-plan.ts'

const notReady = 'node.kubernetes.io/not-ready'
const unreachable = 'node.kubernetes.io/unreachable'

/** Whether a node works, according to its conditions. */
export type NodeReadiness = 'ready' | 'not ready' | 'unreachable' | 'not told'

/** A node created by hand may have no status. */
export function readinessOf({ status }: KubeObject): NodeReadiness {
  const { conditions = [] } = Object(status) as Node['status']
  const { status: told } = conditions.find(({ type }) => type === 'Ready') ?? {}
  switch (told) {
    case undefined:
      return 'not told'
    case 'True':
      return 'ready'
    case 'Unknown':
      return 'unreachable'
    default:
      return 'not ready'
  }
}

/**
 * The taint that makes Pods leave a node that does not work; undefined: none. If no node works, there is nowhere to go,
 * and more likely the connection to the nodes is broken: all Pods stay.
 */
export function evictionTaintKey(readiness: NodeReadiness, anyIsReady: boolean): string | undefined {
  if (readiness === 'ready' || readiness === 'not told' || !anyIsReady) return undefined
  return readiness === 'unreachable' ? unreachable : notReady
}

/** The node with this taint instead of the other; undefined if that is already so. */
export function withEvictionTaint(node: Node, wanted: string | undefined, now: string): Node | undefined {
  const present = node.spec.taints ?? []
  const kept = present.filter((taint) => !isOwn(taint) || taint.key === wanted)
  const isMissing = wanted !== undefined && !kept.some(isOwn)
  if (kept.length === present.length && !isMissing) return undefined
  const taints = isMissing ? [...kept, { key: wanted, effect: noExecute, timeAdded: now }] : kept
  const { taints: _, ...spec } = node.spec
  return { ...node, spec: taints.length === 0 ? spec : { ...spec, taints } }
}

export function hasEvictionTaint({ spec }: Node): boolean {
  return (spec.taints ?? []).some(isOwn)
}

function isOwn({ key, effect }: Taint): boolean {
  return effect === noExecute && (key === notReady || key === unreachable)
}
