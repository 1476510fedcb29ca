import { withLifecycleTaints } from '../../api/core/nodes/lifecycle-taints.ts'
import type { Node, NodeSpec, NodeStatus } from '../../api/types/core-v1.ts'
import { deepEqual } from '../../base/equal.ts'
import { markerPrefix } from '../../patches/path/reserved.ts'
import type { TextMap } from '../contract.ts'
import type { ImportCause } from '../imports/contract.ts'
import { importAnnotations, importedLabel } from '../names/import-marks.ts'
import { nameOf } from '../names/names.ts'
import { type ShownNode, shownNode } from './shown-node.ts'

/** The action for one node of the virtual cluster. */
export type NodePlan = { readonly action: 'nothing' } | NodeWrite

export interface NodeWrite {
  readonly action: 'create' | 'update' | 'delete' | 'update status'
  readonly node: Node
}

export interface NodeRules {
  /** Keys that are shown besides the usual ones. */
  readonly labels: TextMap
  /** The time for new taints. */
  readonly now: string
}

/** The cause of imported nodes. */
export const nodeCause: ImportCause = 'node'

/** Set if the host cordoned the node. Otherwise the tenant did. */
const hostCordon = `${markerPrefix}host-unschedulable`

const nothing: NodePlan = { action: 'nothing' }

/** A node of the host as the virtual cluster should have it; undefined if it should not. */
export function planNode(host: Node | undefined, there: Node | undefined, rules: NodeRules): NodePlan {
  if (there?.metadata.deletionTimestamp !== undefined) return nothing
  if (host === undefined) return there === undefined ? nothing : { action: 'delete', node: there }
  const shown = shownNode(host, rules.labels)
  const wanted = wantedNode(host, shown, there, rules)
  if (there === undefined) return { action: 'create', node: wanted }
  if (!deepEqual(bodyOf(there), bodyOf(wanted))) return { action: 'update', node: wanted }
  if (deepEqual(statusOf(there), shown.status)) return nothing
  return { action: 'update status', node: { ...there, status: shown.status } }
}

/** The tenant's annotations and cordon stay. Everything else comes from the host. */
function wantedNode(host: Node, shown: ShownNode, there: Node | undefined, { now }: NodeRules): Node {
  const { [hostCordon]: _, ...kept } = there?.metadata.annotations ?? {}
  const metadata = {
    ...(there?.metadata ?? { name: nameOf(host).name }),
    labels: { ...shown.labels, [importedLabel]: nodeCause },
    annotations: {
      ...kept,
      ...importAnnotations(host, nameOf(host)),
      ...(shown.isUnschedulable && { [hostCordon]: 'true' }),
    },
  }
  const isUnschedulable = shown.isUnschedulable || (there !== undefined && isCordonedByTenant(there))
  const spec: NodeSpec = { ...there?.spec, unschedulable: isUnschedulable, taints: shown.taints }
  const node: Node = { apiVersion: 'v1', kind: 'Node', metadata, spec, status: shown.status }
  return withTaintsOf(there, node, now)
}

/** Whether the tenant wants no new Pods there. */
export function isCordonedByTenant({ metadata, spec }: Node): boolean {
  return spec.unschedulable === true && !isCordonedByHost({ metadata })
}

export function isCordonedByHost({ metadata }: Pick<Node, 'metadata'>): boolean {
  return metadata.annotations?.[hostCordon] !== undefined
}

/**
 * A controller of the virtual cluster also adds the taints that follow from conditions. Both use the shown conditions,
 * so that neither undoes the other, and an existing taint keeps its time.
 */
function withTaintsOf(there: Node | undefined, node: Node, now: string): Node {
  const wanted = withLifecycleTaints(node, now) ?? node
  const known = there?.spec.taints ?? []
  const taints = (wanted.spec.taints ?? []).map((taint) => {
    const same = known.find(
      ({ key, effect, value }) => key === taint.key && effect === taint.effect && value === taint.value,
    )
    return same ?? taint
  })
  return { ...wanted, spec: { ...wanted.spec, taints } }
}

function bodyOf({ metadata, spec }: Node) {
  const { taints = [], unschedulable = false } = spec
  const byName = taints.toSorted((left, right) =>
    `${left.key}:${left.effect}` < `${right.key}:${right.effect}` ? -1 : 1,
  )
  return { labels: metadata.labels, annotations: metadata.annotations, taints: byName, unschedulable }
}

/** The shown part of the status: a server may add empty fields. */
function statusOf({ status }: Node): Partial<NodeStatus> {
  const { capacity, allocatable, conditions, addresses, nodeInfo } = status ?? {}
  return {
    ...(capacity && { capacity }),
    ...(allocatable && { allocatable }),
    ...(conditions && { conditions }),
    ...(addresses && { addresses }),
    daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
    ...(nodeInfo && { nodeInfo }),
  }
}
