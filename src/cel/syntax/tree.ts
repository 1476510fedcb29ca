import type { CelValue } from '../value.ts'

interface AnyNode {
  /** The position in the text; for what a macro expands to, that of the macro. */
  readonly at: number
  /** The depth of the tree, including this node. */
  readonly depth: number
}

export interface LiteralNode extends AnyNode {
  readonly kind: 'literal'
  readonly value: CelValue
}

export interface IdentifierNode extends AnyNode {
  readonly kind: 'identifier'
  readonly name: string
}

export interface SelectNode extends AnyNode {
  readonly kind: 'select'
  readonly operand: CelNode
  readonly field: string
  /** `has(operand.field)`: only tests whether the field exists. */
  readonly isTest: boolean
}

export interface CallNode extends AnyNode {
  readonly kind: 'call'
  readonly name: string
  readonly target?: CelNode
  readonly args: readonly CelNode[]
}

export interface ListNode extends AnyNode {
  readonly kind: 'list'
  readonly elements: readonly ElementNode[]
}

export interface ElementNode {
  readonly value: CelNode
  /** `[?value]`: omitted if the optional is empty. */
  readonly isOptional: boolean
}

export interface MapNode extends AnyNode {
  readonly kind: 'map'
  readonly entries: readonly EntryNode[]
}

export interface EntryNode extends ElementNode {
  readonly key: CelNode
}

export interface StructNode extends AnyNode {
  readonly kind: 'struct'
  readonly typeName: string
  readonly fields: readonly (ElementNode & { readonly name: string; readonly at: number })[]
}

/**
 * The expansion of macros such as `all` and `map`: a loop over a list or the keys of a map, which accumulates one
 * value.
 */
export interface FoldNode extends AnyNode {
  readonly kind: 'fold'
  readonly variable: string
  readonly range: CelNode
  readonly accumulator: string
  readonly initial: CelNode
  readonly condition: CelNode
  readonly step: CelNode
  readonly result: CelNode
}

export type CelNode = LiteralNode | IdentifierNode | SelectNode | CallNode | ListNode | MapNode | StructNode | FoldNode

/**
 * The accumulator of loops, under a name that no identifier can have: an expression cannot access a list that still
 * grows.
 */
export const accumulator = '@result'

/** Operators are functions with names that no identifier can have. */
export const operator = {
  and: '_&&_',
  or: '_||_',
  not: '!_',
  negate: '-_',
  conditional: '_?_:_',
  index: '_[_]',
  optionalIndex: '_[?_]',
  optionalSelect: '_?._',
  in: '@in',
  equals: '_==_',
  notEquals: '_!=_',
  add: '_+_',
  notStrictlyFalse: '@not_strictly_false',
} as const
