import { Pace } from '../../base/pace.ts'
import type { DaemonNode } from './daemon-node.ts'
import type { DaemonFit, DaemonPlacement } from './placement.ts'

/**
 * Computes in steps how a DaemonSet fits each Node: it may have thousands of conditions for thousands of Nodes. A Node
 * that changes meanwhile is checked again.
 */
export async function knownFits(nodes: Iterable<DaemonNode>, fitOf: DaemonPlacement): Promise<DaemonPlacement> {
  const known = new Map<DaemonNode, DaemonFit>()
  const pace = new Pace()
  for (const node of [...nodes]) {
    await pace.step()
    known.set(node, fitOf(node))
  }
  return (node) => known.get(node) ?? fitOf(node)
}
