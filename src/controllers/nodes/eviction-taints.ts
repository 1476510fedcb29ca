import type { KubeObject } from '../../api/object.ts'
import type { Node, Taint } from '../../api/types/core-v1.ts'
import { noExecute } from './eviction-plan.ts'

const notReady = 'node.kubernetes.io/not-ready'
const unreachable = 'node.kubernetes.io/unreachable'

/** Whether a node works, as it says or as is said of it. */
export type NodeReadiness = 'ready' | 'not ready' | 'unreachable' | 'not told'

/** One that was just made by hand may have no status. */
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
 * The taint by which Pods have to leave a node that does not work; undefined: none. Where no node works there is nowhere to go,
 * and more likely it is the way to the nodes that does not work: all Pods stay.
 */
export function evictionTaintKey(readiness: NodeReadiness, anyIsReady: boolean): string | undefined {
  if (readiness === 'ready' || readiness === 'not told' || !anyIsReady) return undefined
  return readiness === 'unreachable' ? unreachable : notReady
}

/** The node with this taint and not with the other; undefined if it is so. */
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
