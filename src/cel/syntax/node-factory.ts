import type { CompileEffort } from '../compile-effort.ts'
import type { CelValue } from '../value.ts'
import { CelSyntaxError } from './syntax-problem.ts'
import type {
  CallNode,
  CelNode,
  ElementNode,
  EntryNode,
  FoldNode,
  IdentifierNode,
  ListNode,
  LiteralNode,
  MapNode,
  SelectNode,
  StructNode,
} from './tree.ts'

/** Code that works on the tree is recursive. */
const mostDepth = 250

/** Creates nodes, and counts them. */
export class NodeFactory {
  readonly #effort: CompileEffort

  constructor(effort: CompileEffort) {
    this.#effort = effort
  }

  literal(at: number, value: CelValue): LiteralNode {
    return { kind: 'literal', at, depth: this.#depth(at, []), value }
  }

  identifier(at: number, name: string): IdentifierNode {
    return { kind: 'identifier', at, depth: this.#depth(at, []), name }
  }

  select(at: number, operand: CelNode, field: string, isTest = false): SelectNode {
    return { kind: 'select', at, depth: this.#depth(at, [operand]), operand, field, isTest }
  }

  call(at: number, name: string, args: readonly CelNode[], target?: CelNode): CallNode {
    const depth = this.#depth(at, target === undefined ? args : [target, ...args])
    return { kind: 'call', at, depth, name, args, ...(target !== undefined && { target }) }
  }

  list(at: number, elements: readonly ElementNode[]): ListNode {
    return {
      kind: 'list',
      at,
      depth: this.#depth(
        at,
        elements.map(({ value }) => value),
      ),
      elements,
    }
  }

  map(at: number, entries: readonly EntryNode[]): MapNode {
    const inner = entries.flatMap(({ key, value }) => [key, value])
    return { kind: 'map', at, depth: this.#depth(at, inner), entries }
  }

  struct(at: number, typeName: string, fields: StructNode['fields']): StructNode {
    return {
      kind: 'struct',
      at,
      depth: this.#depth(
        at,
        fields.map(({ value }) => value),
      ),
      typeName,
      fields,
    }
  }

  fold(at: number, parts: Omit<FoldNode, 'kind' | 'at' | 'depth'>): FoldNode {
    const { range, initial, condition, step, result } = parts
    return { kind: 'fold', at, depth: this.#depth(at, [range, initial, condition, step, result]), ...parts }
  }

  #depth(at: number, inner: readonly CelNode[]): number {
    this.#effort.spend(1)
    let deepest = 0
    for (const { depth } of inner) if (depth > deepest) deepest = depth
    if (deepest >= mostDepth) throw new CelSyntaxError(at, `expression recursion limit exceeded: ${mostDepth}`)
    return deepest + 1
  }
}
