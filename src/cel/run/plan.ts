import type { CheckedExpression } from '../check/check.ts'
import type { CompileEffort } from '../compile-effort.ts'
import type { CelOverload } from '../environment.ts'
import {
  type CallNode,
  type CelNode,
  type FoldNode,
  type ListNode,
  type MapNode,
  operator,
  type SelectNode,
} from '../syntax/tree.ts'
import { celList, celType, failure, noSuchOverload } from '../value.ts'
import { indexed, optionalField, optionallyIndexed } from './access.ts'
import { accessStep, fieldStep, fieldTestStep } from './access-steps.ts'
import { conditionalStep, logicalStep, notStrictlyFalseStep, optionalElseStep } from './branches.ts'
import { directCall, dispatchedCall } from './calls.ts'
import { listStep, mapStep } from './collections.ts'
import { addedItem, appendIfStep, appendStep, foldStep, growingList } from './fold.ts'
import type { Step } from './step.ts'

/** An expression as functions that call each other: no code is generated from its text. */
export interface CelPlan {
  readonly step: Step
  /** Variables of the environment, in the order of their slots. */
  readonly variables: readonly string[]
  readonly slotCount: number
}

export function planCel(expression: CheckedExpression, effort: CompileEffort): CelPlan {
  const planner = new Planner(expression, effort)
  const step = planner.plan(expression.root)
  return { step, variables: planner.variables, slotCount: planner.slotCount }
}

class Planner {
  readonly variables: readonly string[]
  slotCount: number
  readonly #expression: CheckedExpression
  readonly #effort: CompileEffort
  /** Loop variables and their slots, the innermost last. */
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
    return isTest ? fieldTestStep(operand, field) : fieldStep(operand, field)
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
      ? directCall(only, steps)
      : dispatchedCall(node.name, overloads, steps)
  }

  /** Whether a value can have another type than the function accepts. */
  #isDynamic(args: readonly CelNode[], { parameters }: CelOverload): boolean {
    return args.some((each, index) => {
      const { kind } = this.#expression.typeOf(each)
      const wanted = parameters[index]?.kind
      return (kind === 'dyn' || kind === 'null') && wanted !== 'dyn' && wanted !== 'parameter'
    })
  }

  /** Functions that do not evaluate all of their arguments, or fail in a special way. */
  #special({ name, args, target }: CallNode): Step | undefined {
    const [first, second, third] = args
    if (name === 'or' || name === 'orValue') {
      return target === undefined || first === undefined || second !== undefined
        ? undefined
        : optionalElseStep(this.plan(target), this.plan(first), name === 'orValue')
    }
    if (target !== undefined || first === undefined) return undefined
    if (name === operator.notStrictlyFalse) return notStrictlyFalseStep(this.plan(first))
    if (second === undefined) return undefined
    switch (name) {
      case operator.and:
        return logicalStep(this.plan(first), this.plan(second), false)
      case operator.or:
        return logicalStep(this.plan(first), this.plan(second), true)
      case operator.index:
        return accessStep(this.plan(first), this.plan(second), indexed)
      case operator.optionalIndex:
        return accessStep(this.plan(first), this.plan(second), optionallyIndexed)
      case operator.optionalSelect:
        return accessStep(this.plan(first), this.plan(second), optionalField)
      case operator.conditional:
        return third === undefined ? undefined : conditionalStep(this.plan(first), this.plan(second), this.plan(third))
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
    return listStep(elements.map(({ value, isOptional }) => ({ value: this.plan(value), isOptional })))
  }

  #map({ entries }: MapNode): Step {
    return mapStep(
      entries.map(({ key, value, isOptional }) => ({ key: this.plan(key), value: this.plan(value), isOptional })),
    )
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
    const begin = appended === undefined ? initial : growingList(initial)
    return foldStep({ range, initial: begin, condition, step, result, accumulator, variable })
  }

  #appended(node: FoldNode): Step | undefined {
    const added = addedItem(node)
    if (added === undefined) return undefined
    const slot = this.#slotOf(node.accumulator)
    const append = appendStep(slot, this.plan(added.item))
    return added.condition === undefined ? append : appendIfStep(slot, this.plan(added.condition), append)
  }
}
