import type { AnyNode, Expression, Node } from 'acorn'

/** The role of a node in its parent. */
export type NodeRole =
  /** Its value is used. */
  | 'value'
  /** It is called: `a` in `a()`. */
  | 'callee'
  /** Its type is tested, which is allowed for names that do not exist. */
  | 'typeof'
  /** It introduces a name. */
  | 'binding'

export interface Visit {
  readonly node: AnyNode
  readonly role: NodeRole
  /** Whether a surrounding function has its own `this`. */
  readonly inFunction: boolean
  readonly parent: Visit | undefined
}

/**
 * Visits every node that stands for a value or a binding, outermost first; names of members, labels and the like are
 * skipped. Without recursion, since sources may be nested deeper than the stack.
 */
export function walk(tree: Expression, see: (visit: Visit) => void): void {
  const todo: Visit[] = [{ node: tree, role: 'value', inFunction: false, parent: undefined }]
  for (let visit = todo.pop(); visit !== undefined; visit = todo.pop()) {
    see(visit)
    const inFunction = visit.inFunction || hasOwnThis(visit.node)
    const children: Visit[] = []
    for (const [child, role] of childrenOf(visit)) {
      if (isNode(child)) children.push({ node: child, role, inFunction, parent: visit })
    }
    todo.push(...children.reverse())
  }
}

type Child = readonly [child: Node | null | undefined, role: NodeRole]

function childrenOf({ node, role }: Visit): readonly Child[] {
  switch (node.type) {
    case 'VariableDeclarator':
      return [
        [node.id, 'binding'],
        [node.init, 'value'],
      ]
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return [[node.id, 'binding'], ...all(node.params, 'binding'), [node.body, 'value']]
    case 'ClassDeclaration':
    case 'ClassExpression':
      return [
        [node.id, 'binding'],
        [node.superClass, 'value'],
        [node.body, 'value'],
      ]
    case 'CatchClause':
      return [
        [node.param, 'binding'],
        [node.body, 'value'],
      ]
    case 'AssignmentPattern':
      return [
        [node.left, role],
        [node.right, 'value'],
      ]
    case 'RestElement':
    case 'ObjectPattern':
    case 'ArrayPattern':
    case 'ParenthesizedExpression':
    case 'ChainExpression':
      return all(nodesIn(node), role)
    case 'Property':
      return [...(node.computed ? [[node.key, 'value'] as const] : []), [node.value, role]]
    case 'MethodDefinition':
      return [...(node.computed ? [[node.key, 'value'] as const] : []), [node.value, 'value']]
    case 'MemberExpression':
      return [[node.object, 'value'], ...(node.computed ? [[node.property, 'value'] as const] : [])]
    case 'CallExpression':
      return [[node.callee, 'callee'], ...all(node.arguments, 'value')]
    case 'TaggedTemplateExpression':
      return [
        [node.tag, 'callee'],
        [node.quasi, 'value'],
      ]
    case 'UnaryExpression':
      return [[node.argument, node.operator === 'typeof' ? 'typeof' : 'value']]
    case 'LabeledStatement':
      return [[node.body, 'value']]
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'MetaProperty':
      return []
    default:
      return all(nodesIn(node), 'value')
  }
}

function all(nodes: readonly (Node | null)[], role: NodeRole): readonly Child[] {
  return nodes.map((node) => [node, role])
}

function nodesIn(node: AnyNode): readonly Node[] {
  return Object.values(node).flat().filter(isNode)
}

function hasOwnThis(node: AnyNode): boolean {
  return node.type === 'FunctionExpression' || node.type === 'FunctionDeclaration'
}

function isNode(candidate: unknown): candidate is AnyNode {
  return typeof candidate === 'object' && candidate !== null && 'type' in candidate && 'start' in candidate
}
