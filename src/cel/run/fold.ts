import type { Meter } from '../meter.ts'
import { type CallNode, type CelNode, type FoldNode, operator } from '../syntax/tree.ts'
import { type CelList, type CelResult, type CelValue, celList, isFailure, noSuchOverload } from '../value.ts'
import { listCost } from './collections.ts'
import type { Step } from './step.ts'

export interface FoldSteps {
  readonly range: Step
  readonly initial: Step
  readonly condition: Step
  readonly step: Step
  readonly result: Step
  /** The slots of its variables. */
  readonly accumulator: number
  readonly variable: number
}

export function foldStep({ range, initial, condition, step, result, accumulator, variable }: FoldSteps): Step {
  return (frame) => {
    const over = range(frame)
    if (isFailure(over)) return over
    const items = iterated(over, frame.meter)
    if (items === undefined) return noSuchOverload
    const { slots } = frame
    slots[accumulator] = initial(frame)
    for (let index = 0; index < items.size; index++) {
      slots[variable] = items.at(index, frame.meter)
      if (condition(frame) !== true) break
      slots[accumulator] = step(frame)
    }
    return result(frame)
  }
}

function iterated(value: CelValue, meter: Meter): Pick<CelList, 'size' | 'at'> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (value.kind === 'list') return value
  return value.kind === 'map' ? celList(value.keys(meter)) : undefined
}

/** What a loop adds to its list, and when. */
export interface AddedItem {
  readonly item: CelNode
  readonly condition?: CelNode | undefined
}

/**
 * `map` and `filter` repeatedly add one item to a list. No other code can see that list, so it is not copied; the
 * charged cost is the same.
 */
export function addedItem({ initial, step, accumulator }: FoldNode): AddedItem | undefined {
  const [condition, longer] = conditionAndCall(step)
  const [list, added] = longer?.name === operator.add ? longer.args : []
  if (list?.kind !== 'identifier' || list.name !== accumulator || added?.kind !== 'list') return undefined
  const [element] = added.elements
  if (initial.kind !== 'list' || element === undefined || added.elements.length > 1 || element.isOptional) {
    return undefined
  }
  return { item: element.value, condition }
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

export function growingList(initial: Step): Step {
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

export function appendStep(slot: number, item: Step): Step {
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

export function appendIfStep(slot: number, condition: Step, append: Step): Step {
  return (frame) => {
    const chosen = condition(frame)
    if (chosen === true) return append(frame)
    if (isFailure(chosen)) return chosen
    frame.meter.charge(1)
    return chosen === false ? (frame.slots[slot] ?? null) : noSuchOverload
  }
}
