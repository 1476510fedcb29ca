import type { CompileEffort } from '../compile-effort.ts'
import { Meter } from '../meter.ts'
import { compiledPattern } from '../run/regex.ts'
import type { CallNode, CelNode } from '../syntax/tree.ts'
import { type CelValue, isFailure } from '../value.ts'
import type { CheckedExpression } from './check.ts'
import { effortOfPattern, nodesBelow } from './nodes-below.ts'

const conversions: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'uint',
])
/** They search for a pattern, which is their argument. */
const searches: ReadonlySet<string> = new Set(['find', 'findAll', 'matches'])

const mostOfOne = { cost: 1_000, work: 10_000 }

/** What is the same whenever it is evaluated, and can only fail. */
export function constantProblem(expression: CheckedExpression, effort: CompileEffort): string | undefined {
  return new Constants(expression, effort).problemIn(expression.root)
}

class Constants {
  readonly #expression: CheckedExpression
  readonly #effort: CompileEffort
  readonly #known = new Map<CelNode, CelValue>()

  constructor(expression: CheckedExpression, effort: CompileEffort) {
    this.#expression = expression
    this.#effort = effort
  }

  /** The first, from the inside out. */
  problemIn(node: CelNode): string | undefined {
    this.#effort.spend(0.1)
    for (const each of nodesBelow(node)) {
      const problem = this.problemIn(each)
      if (problem !== undefined) return problem
    }
    if (node.kind === 'literal') this.#known.set(node, node.value)
    return node.kind === 'call' ? (this.#conversion(node) ?? this.#search(node)) : undefined
  }

  #conversion(node: CallNode): string | undefined {
    const [only] = node.args
    if (only === undefined || node.args.length > 1 || node.target !== undefined) return undefined
    const value = this.#known.get(only)
    const resolution = this.#expression.resolutionOf(node)
    if (value === undefined || !conversions.has(node.name) || resolution?.kind !== 'function') return undefined
    const [overload, another] = resolution.overloads
    if (overload?.call === undefined || another !== undefined) return undefined
    const result = overload.call([value], new Meter(mostOfOne))
    if (isFailure(result)) return result.message
    this.#known.set(node, result)
    return undefined
  }

  #search({ name, target, args }: CallNode): string | undefined {
    const [pattern] = args
    const source = target === undefined || pattern === undefined ? undefined : this.#known.get(pattern)
    if (!searches.has(name) || typeof source !== 'string') return undefined
    const compiled = compiledPattern(source, (size) => this.#effort.spend(size * effortOfPattern))
    return 'kind' in compiled ? compiled.message : undefined
  }
}
