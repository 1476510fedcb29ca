import type { CheckedExpression } from '../check/check.ts'
import type { CompileEffort } from '../compile-effort.ts'
import type { CelOverload } from '../environment.ts'
import type { Meter } from '../meter.ts'
import {
  type CallNode,
  type CelNode,
  type FoldNode,
  type ListNode,
  type MapNode,
  operator,
  type SelectNode,
} from '../syntax/tree.ts'
import {
  type CelFailure,
  type CelList,
  type CelResult,
  type CelValue,
  celKey,
  celList,
  celMap,
  celType,
  failure,
  isFailure,
  noSuchOverload,
  typeNameOf,
} from '../value.ts'
import { acceptsValue } from './accepts.ts'
import { fieldOf, indexed, optionalField, optionallyIndexed } from './access.ts'
import { foundIn, payForKey } from './found-in.ts'

/** Where the values of variables are while an expression is evaluated. */
export interface Frame {
  readonly slots: CelResult[]
  readonly meter: Meter
}

export type Step = (frame: Frame) => CelResult

/** An expression as functions that call each other: nothing is generated from its text. */
export interface CelPlan {
  readonly step: Step
  /** Of the environment, in the order of their slots. */
  readonly variables: readonly string[]
  readonly slotCount: number
}

export function planCel(expression: CheckedExpression, effort: CompileEffort): CelPlan {
  const planner = new Planner(expression, effort)
  const step = planner.plan(expression.root)
  return { step, variables: planner.variables, slotCount: planner.slotCount }
}

const listCost = 10
const mapCost = 30

class Planner {
  readonly variables: readonly string[]
  slotCount: number
  readonly #expression: CheckedExpression
  readonly #effort: CompileEffort
  /** Variables of loops and their slots, the innermost last. */
  readonly #locals: (readonly [string, number])[] = []

  constructor(expression: CheckedExpression, effort: CompileEffort) {
    this.#expression = expression
    this.#effort = effort
    this.variables = [...expression.variables]
    this.slotCount = this.variables.length
  }

  plan(node: CelNode): Step {
    this.#effort.spend(1)
    switch (node.kind) {
      case 'literal': {
        const { value } = node
        return () => value
      }
      case 'identifier':
        return this.#named(node, node.name)
      case 'select':
        return this.#select(node)
      case 'call':
        return this.#call(node)
      case 'list':
        return this.#list(node)
      case 'map':
        return this.#map(node)
      case 'struct':
        return () => failure('structs cannot be made')
      case 'fold':
        return this.#fold(node)
    }
  }

  #named(node: CelNode, name: string): Step {
    const resolution = this.#expression.resolutionOf(node)
    if (resolution?.kind === 'type') {
      const type = celType(resolution.name)
      return () => type
    }
    const slot = this.#slotOf(resolution?.kind === 'variable' ? resolution.name : name)
    return (frame) => {
      frame.meter.charge(1)
      return frame.slots[slot] ?? null
    }
  }

  #slotOf(name: string): number {
    const local = this.#locals.findLast(([each]) => each === name)
    const slot = local?.[1] ?? this.variables.indexOf(name)
    if (slot < 0) throw new Error(`The variable ${name} has been checked and is not there.`)
    return slot
  }

  #select(node: SelectNode): Step {
    const resolution = this.#expression.resolutionOf(node)
    if (resolution !== undefined) return this.#named(node, node.field)
    const operand = this.plan(node.operand)
    const { field, isTest } = node
    if (isTest) return (frame) => isThere(operand(frame), field, frame.meter)
    return (frame) => {
      const value = operand(frame)
      if (isFailure(value)) return value
      frame.meter.charge(1)
      return fieldOf(value, field, frame.meter)
    }
  }

  #call(node: CallNode): Step {
    const special = this.#special(node)
    if (special !== undefined) return special
    const resolution = this.#expression.resolutionOf(node)
    if (resolution?.kind !== 'function') return () => noSuchOverload
    const { overloads, isMember } = resolution
    const args = isMember && node.target !== undefined ? [node.target, ...node.args] : node.args
    const steps = args.map((each) => this.plan(each))
    const [only] = overloads
    return overloads.length === 1 && only !== undefined && !this.#isDynamic(args, only)
      ? direct(only, steps)
      : dispatched(node.name, overloads, steps)
  }

  /** Whether a value can be of another type than the function takes. */
  #isDynamic(args: readonly CelNode[], { parameters }: CelOverload): boolean {
    return args.some((each, index) => {
      const { kind } = this.#expression.typeOf(each)
      const wanted = parameters[index]?.kind
      return (kind === 'dyn' || kind === 'null') && wanted !== 'dyn' && wanted !== 'parameter'
    })
  }

  /** What does not evaluate all of its arguments, or fails in a way of its own. */
  #special({ name, args, target }: CallNode): Step | undefined {
    const [first, second, third] = args
    if (name === 'or' || name === 'orValue') {
      return target === undefined || first === undefined || second !== undefined
        ? undefined
        : optionalElse(this.plan(target), this.plan(first), name === 'orValue')
    }
    if (target !== undefined || first === undefined) return undefined
    if (name === operator.notStrictlyFalse) return notStrictlyFalse(this.plan(first))
    if (second === undefined) return undefined
    switch (name) {
      case operator.and:
        return logical(this.plan(first), this.plan(second), false)
      case operator.or:
        return logical(this.plan(first), this.plan(second), true)
      case operator.index:
        return accessed(this.plan(first), this.plan(second), indexed)
      case operator.optionalIndex:
        return accessed(this.plan(first), this.plan(second), optionallyIndexed)
      case operator.optionalSelect:
        return accessed(this.plan(first), this.plan(second), optionalField)
      case operator.conditional:
        return third === undefined ? undefined : conditional(this.plan(first), this.plan(second), this.plan(third))
      default:
        return undefined
    }
  }

  #list({ elements }: ListNode): Step {
    const literals = elements.map(({ value, isOptional }) =>
      value.kind === 'literal' && !isOptional ? value : undefined,
    )
    if (elements.length > 0 && literals.every((each) => each !== undefined)) {
      const constant = celList(literals.map((each) => each?.value ?? null))
      return () => constant
    }
    const steps = elements.map(({ value, isOptional }) => ({ step: this.plan(value), isOptional }))
    return (frame) => {
      const items: CelValue[] = []
      for (const { step, isOptional } of steps) {
        const item = step(frame)
        if (isFailure(item)) return item
        if (!isOptional) items.push(item)
        else if (typeof item !== 'object' || item?.kind !== 'optional') return notOptional(item)
        else if (item.value !== undefined) items.push(item.value)
      }
      frame.meter.charge(listCost)
      return celList(items)
    }
  }

  #map({ entries }: MapNode): Step {
    const steps = entries.map(({ key, value, isOptional }) => ({
      key: this.plan(key),
      value: this.plan(value),
      isOptional,
    }))
    return (frame) => {
      const found = new Map<string, readonly [CelValue, CelValue]>()
      for (const { key, value, isOptional } of steps) {
        const problem = putEntry(found, key(frame), value(frame), isOptional, frame.meter)
        if (problem !== undefined) return problem
      }
      frame.meter.charge(mapCost)
      return celMap(found)
    }
  }

  #fold(node: FoldNode): Step {
    const range = this.plan(node.range)
    const initial = this.plan(node.initial)
    const accumulator = this.slotCount++
    const variable = this.slotCount++
    const outside = this.#locals.length
    this.#locals.push([node.accumulator, accumulator], [node.variable, variable])
    const condition = this.plan(node.condition)
    const appended = this.#appended(node)
    const step = appended ?? this.plan(node.step)
    this.#locals.length = outside + 1
    const result = this.plan(node.result)
    this.#locals.length = outside
    const begin: Step = appended === undefined ? initial : growing(initial)
    return (frame) => {
      const over = range(frame)
      if (isFailure(over)) return over
      const items = iterated(over, frame.meter)
      if (items === undefined) return noSuchOverload
      const { slots } = frame
      slots[accumulator] = begin(frame)
      for (let index = 0; index < items.size; index++) {
        slots[variable] = items.at(index, frame.meter)
        if (condition(frame) !== true) break
        slots[accumulator] = step(frame)
      }
      return result(frame)
    }
  }

  /**
   * `map` and `filter` add one item to a list again and again. The list is theirs alone, so that it is not copied; what it
   * costs is the same.
   */
  #appended(node: FoldNode): Step | undefined {
    const [condition, longer] = conditionAndCall(node.step)
    const [list, added] = longer?.name === operator.add ? longer.args : []
    if (list?.kind !== 'identifier' || list.name !== node.accumulator || added?.kind !== 'list') return undefined
    const [element] = added.elements
    if (node.initial.kind !== 'list' || element === undefined || added.elements.length > 1 || element.isOptional) {
      return undefined
    }
    const slot = this.#slotOf(node.accumulator)
    const append = appending(slot, this.plan(element.value))
    return condition === undefined ? append : appendingIf(slot, this.plan(condition), append)
  }
}

/** `c ? accumulator + [x] : accumulator`, or `accumulator + [x]` alone. */
function conditionAndCall(step: CelNode): readonly [CelNode | undefined, CallNode | undefined] {
  if (step.kind !== 'call') return [undefined, undefined]
  if (step.name !== operator.conditional) return [undefined, step]
  const [condition, yes] = step.args
  return [condition, yes?.kind === 'call' ? yes : undefined]
}

/** A list that grows while a loop runs. */
interface GrowingList {
  readonly kind: 'list'
  readonly items: CelValue[]
  readonly size: number
  readonly at: (index: number) => CelResult
}

function growing(initial: Step): Step {
  return (frame) => {
    const start = initial(frame)
    if (isFailure(start)) return start
    const items: CelValue[] = []
    const list: GrowingList = {
      kind: 'list',
      items,
      get size() {
        return items.length
      },
      at: (index) => items[index] ?? null,
    }
    return list
  }
}

function isGrowing(value: CelResult): value is GrowingList {
  return typeof value === 'object' && value !== null && 'items' in value
}

function appending(slot: number, item: Step): Step {
  return (frame) => {
    const list = frame.slots[slot] ?? null
    frame.meter.charge(2 + listCost)
    const added = item(frame)
    if (isFailure(added)) return added
    if (!isGrowing(list)) return list
    list.items.push(added)
    return list
  }
}

function appendingIf(slot: number, condition: Step, append: Step): Step {
  return (frame) => {
    const chosen = condition(frame)
    if (chosen === true) return append(frame)
    if (isFailure(chosen)) return chosen
    frame.meter.charge(1)
    return chosen === false ? (frame.slots[slot] ?? null) : noSuchOverload
  }
}

function iterated(value: CelValue, meter: Meter): Pick<CelList, 'size' | 'at'> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (value.kind === 'list') return value
  return value.kind === 'map' ? celList(value.keys(meter)) : undefined
}

function direct(overload: CelOverload, steps: readonly Step[]): Step {
  const { call, cost } = overload
  if (call === undefined) return () => noSuchOverload
  const [first, second] = steps
  if (steps.length === 2 && first !== undefined && second !== undefined) {
    return (frame) => {
      const left = first(frame)
      if (isFailure(left)) return left
      const right = second(frame)
      if (isFailure(right)) return right
      const args = [left, right]
      frame.meter.charge(cost === undefined ? 1 : cost(args))
      return call(args, frame.meter)
    }
  }
  return (frame) => {
    const args = evaluated(steps, frame)
    if (!Array.isArray(args)) return args
    frame.meter.charge(cost === undefined ? 1 : cost(args))
    return call(args, frame.meter)
  }
}

function evaluated(steps: readonly Step[], frame: Frame): CelValue[] | CelFailure {
  const args: CelValue[] = []
  for (const step of steps) {
    const value = step(frame)
    if (isFailure(value)) return value
    args.push(value)
  }
  return args
}

/** Which function is meant is known when there are values. */
function dispatched(name: string, overloads: readonly CelOverload[], steps: readonly Step[]): Step {
  return (frame) => {
    const args = evaluated(steps, frame)
    if (!Array.isArray(args)) return args
    const overload = overloads.find(({ parameters }) =>
      parameters.every((type, index) => acceptsValue(type, args[index] ?? null)),
    )
    if (overload?.call === undefined) return noOverload(name, args)
    frame.meter.charge(overload.cost === undefined ? 1 : overload.cost(args))
    return overload.call(args, frame.meter)
  }
}

function noOverload(name: string, args: readonly CelValue[]): CelFailure {
  if (!/^\w/.test(name) || name.startsWith('_')) return noSuchOverload
  return failure(`no such overload: ${name}(${args.map(typeNameOf).join(', ')})`)
}

/** Either side decides if it can, whatever the other one is. */
function logical(left: Step, right: Step, decisive: boolean): Step {
  return (frame) => {
    const first = left(frame)
    if (first === decisive) return decisive
    const second = right(frame)
    if (second === decisive) return decisive
    if (isFailure(first)) return first
    if (isFailure(second)) return second
    return typeof first === 'boolean' && typeof second === 'boolean' ? !decisive : noSuchOverload
  }
}

function conditional(condition: Step, yes: Step, no: Step): Step {
  return (frame) => {
    const chosen = condition(frame)
    if (isFailure(chosen)) return chosen
    if (typeof chosen !== 'boolean') return noSuchOverload
    return chosen ? yes(frame) : no(frame)
  }
}

/** Loops go on as long as nothing is decided; an error decides nothing. */
function notStrictlyFalse(value: Step): Step {
  return (frame) => {
    frame.meter.charge(1)
    return value(frame) !== false
  }
}

type Access = (container: CelValue, key: CelValue, meter: Meter) => CelResult

function accessed(container: Step, key: Step, access: Access): Step {
  return (frame) => {
    const value = container(frame)
    if (isFailure(value)) return value
    const at = key(frame)
    if (isFailure(at)) return at
    frame.meter.charge(1)
    return access(value, at, frame.meter)
  }
}

/** `a.or(b)` and `a.orValue(b)`: the other one is evaluated only if it is needed. */
function optionalElse(optional: Step, other: Step, isUnwrapped: boolean): Step {
  return (frame) => {
    const value = optional(frame)
    if (isFailure(value)) return value
    if (typeof value !== 'object' || value?.kind !== 'optional') return noSuchOverload
    frame.meter.charge(1)
    if (value.value === undefined) return other(frame)
    return isUnwrapped ? value.value : value
  }
}

function isThere(operand: CelResult, field: string, meter: Meter): CelResult {
  if (isFailure(operand)) return operand
  const value = typeof operand === 'object' && operand?.kind === 'optional' ? operand.value : operand
  if (value === undefined) return false
  if (typeof value !== 'object' || value?.kind !== 'map') return noSuchOverload
  const found = foundIn(value, field, meter)
  return found !== undefined && isFailure(found) ? found : found !== undefined
}

function notOptional(value: CelValue): CelFailure {
  return failure(`cannot initialize optional list element from non-optional value ${typeNameOf(value)}`)
}

/** Characters of a key in an error. */
const mostShown = 200

function putEntry(
  found: Map<string, readonly [CelValue, CelValue]>,
  key: CelResult,
  value: CelResult,
  isOptional: boolean,
  meter: Meter,
): CelFailure | undefined {
  if (isFailure(key)) return key
  if (isFailure(value)) return value
  payForKey(key, meter)
  const name = celKey(key)
  if (name === undefined) return failure(`unsupported key type: ${typeNameOf(key)}`)
  if (found.has(name)) return failure(`failed with repeated key: ${name.slice(1, mostShown)}`)
  if (!isOptional) {
    found.set(name, [key, value])
    return undefined
  }
  if (typeof value !== 'object' || value?.kind !== 'optional') {
    return failure(
      `cannot initialize optional entry '${name.slice(1, mostShown)}' from non-optional value ${typeNameOf(value)}`,
    )
  }
  if (value.value !== undefined) found.set(name, [key, value.value])
  return undefined
}
