import type { CelNode } from '../syntax/tree.ts'

/** What compiling a step of a pattern takes, in steps of compiling an expression. */
export const effortOfPattern = 5

/** Those directly below. */
export function nodesBelow(node: CelNode): readonly CelNode[] {
  switch (node.kind) {
    case 'literal':
    case 'identifier':
      return []
    case 'select':
      return [node.operand]
    case 'call':
      return node.target === undefined ? node.args : [node.target, ...node.args]
    case 'list':
      return node.elements.map(({ value }) => value)
    case 'map':
      return node.entries.flatMap(({ key, value }) => [key, value])
    case 'struct':
      return node.fields.map(({ value }) => value)
    case 'fold':
      return [node.range, node.initial, node.condition, node.step, node.result]
  }
}

/** It and all below. */
export function allNodes(root: CelNode): readonly CelNode[] {
  const found: CelNode[] = [root]
  for (const node of found) found.push(...nodesBelow(node))
  return found
}
