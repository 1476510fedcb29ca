import type { CheckedExpression } from '../check/check.ts'
import type { CompileEffort } from '../compile-effort.ts'
import type { CelEnvironment, CelOverload, DeclaredSizes } from '../environment.ts'
import { accumulator, type CallNode, type CelNode, type FoldNode, operator, type SelectNode } from '../syntax/tree.ts'
import { firstParameter } from '../type.ts'
import { characterCount } from '../value.ts'
import {
  anySize,
  type CallEstimate,
  type CallToEstimate,
  exactly,
  nothing,
  one,
  product,
  type Range,
  type SizedValue,
  spanning,
  sum,
} from './range.ts'

const listCost = exactly(10)
const mapCost = exactly(30)

/** The bounds of the cost of an expression, whatever the values of its variables. */
export function estimateCost(expression: CheckedExpression, environment: CelEnvironment, effort: CompileEffort): Range {
  return new Estimator(expression, environment, effort).cost(expression.root)
}

class Estimator {
  readonly #expression: CheckedExpression
  readonly #environment: CelEnvironment
  readonly #effort: CompileEffort
  readonly #paths = new Map<CelNode, readonly string[]>()
  readonly #sizes = new Map<CelNode, Range>()
  /** The ranges of loop variables, the innermost last. */
  readonly #ranges: (readonly [string, CelNode])[] = []

  constructor(expression: CheckedExpression, environment: CelEnvironment, effort: CompileEffort) {
    this.#expression = expression
    this.#environment = environment
    this.#effort = effort
  }

  cost(node: CelNode): Range {
    this.#effort.spend(1)
    switch (node.kind) {
      case 'literal':
        return nothing
      case 'identifier':
        return this.#identifier(node, node.name)
      case 'select':
        return this.#select(node)
      case 'call':
        return this.#call(node)
      case 'list':
        return sum(listCost, ...node.elements.map(({ value }) => this.cost(value)))
      case 'map':
        return sum(mapCost, ...node.entries.flatMap(({ key, value }) => [this.cost(key), this.cost(value)]))
      case 'struct':
        return sum(exactly(40), ...node.fields.map(({ value }) => this.cost(value)))
      case 'fold':
        return this.#fold(node)
    }
  }

  #identifier(node: CelNode, name: string): Range {
    if (this.#expression.resolutionOf(node)?.kind === 'type') {
      this.#sizes.set(node, one)
      return one
    }
    const range = this.#ranges.findLast(([each]) => each === name)?.[1]
    if (range === undefined) this.#paths.set(node, [name])
    else this.#paths.set(node, [...(this.#paths.get(range) ?? []), this.#isMap(range) ? '@keys' : '@items'])
    return one
  }

  #isMap(node: CelNode): boolean {
    return this.#expression.typeOf(node).kind === 'map'
  }

  #select(node: SelectNode): Range {
    const resolution = this.#expression.resolutionOf(node)
    if (resolution?.kind === 'variable' || resolution?.kind === 'type') return this.#identifier(node, resolution.name)
    const operand = this.cost(node.operand)
    if (node.isTest) return operand
    this.#paths.set(node, [...(this.#paths.get(node.operand) ?? []), node.field])
    const { kind } = this.#expression.typeOf(node.operand)
    return kind === 'map' || kind === 'struct' ? sum(operand, one) : operand
  }

  #call(node: CallNode): Range {
    const resolution = this.#expression.resolutionOf(node)
    if (resolution?.kind !== 'function') return nothing
    const argCosts = node.args.map((each) => this.cost(each))
    const args = node.args.map((each) => this.#sized(each))
    const target = resolution.isMember ? node.target : undefined
    const targetCost = target === undefined ? nothing : this.cost(target)
    const sizedTarget = target === undefined ? undefined : this.#sized(target)
    const call = this.#callToEstimate(args, sizedTarget)
    const special = this.#special(node, call, argCosts)
    const estimates = special === undefined ? this.#estimates(resolution.overloads, call, argCosts) : [special]
    this.#noteResult(node, resolution.overloads, estimates)
    return sum(targetCost, estimates.map(({ cost }) => cost).reduce(spanning))
  }

  #callToEstimate(args: readonly SizedValue[], target: SizedValue | undefined): CallToEstimate {
    return {
      args,
      ...(target !== undefined && { target }),
      sizeOf: (value) => this.#sizeOf(value),
      itemOf: (list) => {
        const { type, path } = list
        if (type.parameters.length === 0) return undefined
        return { type: firstParameter(type), ...(path !== undefined && { path: [...path, '@items'] }) }
      },
    }
  }

  #estimates(
    overloads: readonly CelOverload[],
    call: CallToEstimate,
    argCosts: readonly Range[],
  ): readonly CallEstimate[] {
    const known = overloads.map(({ estimate }) => estimate?.(call) ?? { cost: one })
    const all = known.length === 0 ? [{ cost: one }] : known
    return all.map((each) => ({ ...each, cost: sum(each.cost, ...argCosts) }))
  }

  /** Functions that do not evaluate all of their arguments. */
  #special({ name }: CallNode, { args, sizeOf }: CallToEstimate, costs: readonly Range[]): CallEstimate | undefined {
    const [first = nothing, second = nothing, third = nothing] = costs
    if (name === operator.and || name === operator.or) {
      return { cost: { min: first.min, max: sum(first, second).max } }
    }
    const [, yes, no] = args
    if (name !== operator.conditional || yes === undefined || no === undefined) return undefined
    const sizes = [yes, no].map(sizeOf)
    return { cost: sum(first, spanning(second, third)), size: sizes.reduce(spanning) }
  }

  #noteResult(node: CallNode, overloads: readonly CelOverload[], estimates: readonly CallEstimate[]): void {
    const sizes = estimates.flatMap(({ size }) => (size === undefined ? [] : [size]))
    if (sizes.length > 0) this.#sizes.set(node, sizes.reduce(spanning))
    const [container] = node.args
    if (node.name !== operator.index || container === undefined) return
    for (const { id } of overloads) {
      const below = id === 'index_list' ? '@items' : id === 'index_map' ? '@values' : undefined
      if (below !== undefined) this.#paths.set(node, [...(this.#paths.get(container) ?? []), below])
    }
  }

  #fold(node: FoldNode): Range {
    const range = this.cost(node.range)
    const initial = this.cost(node.initial)
    this.#ranges.push([node.variable, node.range])
    const condition = this.cost(node.condition)
    const step = this.cost(node.step)
    this.#ranges.pop()
    const result = this.cost(node.result)
    const count = this.#sizeOf(this.#sized(node.range))
    this.#sizes.set(node, count)
    return sum(range, initial, result, product(count, sum(step, condition)))
  }

  #sized(node: CelNode): SizedValue {
    const type = this.#expression.typeOf(node)
    const path = this.#paths.get(node)
    const size = this.#sizes.get(node) ?? literalSize(node)
    const isVariable = path !== undefined && path[0] !== accumulator
    return {
      type,
      ...(isVariable && { path }),
      ...(size !== undefined && { size }),
      ...(node.kind === 'literal' && typeof node.value === 'bigint' && { literal: node.value }),
    }
  }

  #sizeOf(value: SizedValue): Range {
    return value.size ?? this.#declaredSize(value.path) ?? (isScalar(value) ? one : anySize)
  }

  #declaredSize(path: readonly string[] | undefined): Range | undefined {
    const [variable, ...rest] = path ?? []
    let sizes = variable === undefined ? undefined : this.#sizesOf(variable)
    for (const name of rest) sizes = below(sizes, name)
    return sizes === undefined ? undefined : { min: 0, max: sizes.most }
  }

  /** A variable that an expression declares, as in `optMap`, is assumed to be as large as the value of the rule. */
  #sizesOf(variable: string): DeclaredSizes | undefined {
    const { variables } = this.#environment
    return (variables.get(variable) ?? variables.get('self'))?.sizes
  }
}

function below(sizes: DeclaredSizes | undefined, name: string): DeclaredSizes | undefined {
  if (name === '@items' || name === '@values') return sizes?.items
  return name === '@keys' ? sizes?.keys : sizes?.fields?.get(name)
}

function literalSize(node: CelNode): Range | undefined {
  if (node.kind === 'list') return exactly(node.elements.length)
  if (node.kind === 'map') return exactly(node.entries.length)
  if (node.kind !== 'literal') return undefined
  const { value } = node
  if (typeof value === 'string') return exactly(characterCount(value))
  return exactly(typeof value === 'object' && value !== null && value.kind === 'bytes' ? value.bytes.length : 1)
}

const scalars = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint'])

function isScalar({ type }: SizedValue): boolean {
  return scalars.has(type.kind)
}
