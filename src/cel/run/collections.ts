import type { Meter } from '../meter.ts'
import {
  type CelFailure,
  type CelResult,
  type CelValue,
  celKey,
  celList,
  celMap,
  failure,
  isFailure,
  typeNameOf,
} from '../value.ts'
import { payForKey } from './found-in.ts'
import type { Step } from './step.ts'

export const listCost = 10
const mapCost = 30

export interface ElementStep {
  readonly value: Step
  /** Whether it is omitted if its value is an empty optional. */
  readonly isOptional: boolean
}

export interface EntryStep extends ElementStep {
  readonly key: Step
}

/** A list literal. */
export function listStep(elements: readonly ElementStep[]): Step {
  return (frame) => {
    const items: CelValue[] = []
    for (const { value, isOptional } of elements) {
      const item = value(frame)
      if (isFailure(item)) return item
      if (!isOptional) items.push(item)
      else if (typeof item !== 'object' || item?.kind !== 'optional') return notOptional(item)
      else if (item.value !== undefined) items.push(item.value)
    }
    frame.meter.charge(listCost)
    return celList(items)
  }
}

/** A map literal. */
export function mapStep(entries: readonly EntryStep[]): Step {
  return (frame) => {
    const found = new Map<string, readonly [CelValue, CelValue]>()
    for (const { key, value, isOptional } of entries) {
      const problem = putEntry(found, key(frame), value(frame), isOptional, frame.meter)
      if (problem !== undefined) return problem
    }
    frame.meter.charge(mapCost)
    return celMap(found)
  }
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
