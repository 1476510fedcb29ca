import { isSameType } from '../type.ts'
import {
  type CallToEstimate,
  type EstimateCall,
  exactly,
  one,
  product,
  regexFactor,
  type SizedValue,
  scaled,
  sum,
  traversalFactor,
} from './range.ts'

/** Visits every character of the value once. */
export function traversal(pick: (call: CallToEstimate) => SizedValue | undefined, factor = 1): EstimateCall {
  return (call) => {
    const value = pick(call)
    return value === undefined ? undefined : { cost: scaled(call.sizeOf(value), factor * traversalFactor) }
  }
}

export const firstArg = ({ args }: CallToEstimate): SizedValue | undefined => args[0]

export const callTarget = ({ target }: CallToEstimate): SizedValue | undefined => target

/** The same, if the result is as large. */
export function traversalOf(pick: (call: CallToEstimate) => SizedValue | undefined): EstimateCall {
  return (call) => {
    const value = pick(call)
    if (value === undefined) return undefined
    const size = call.sizeOf(value)
    return { cost: scaled(size, traversalFactor), size }
  }
}

/** The items are visited one by one. */
export const searchedList: EstimateCall = ({ args: [, list], sizeOf }) =>
  list === undefined ? undefined : { cost: sizeOf(list) }

/** Visits the shorter of the two. */
export const compared: EstimateCall = ({ args: [left, right], sizeOf }) => {
  if (left === undefined || right === undefined) return undefined
  if (isOfLibrary(left) && isSameType(left.type, right.type)) return { cost: one }
  const max = Math.min(sizeOf(left).max, sizeOf(right).max)
  return { cost: scaled({ min: max > 0 ? 1 : 0, max }, traversalFactor) }
}

/** Values of a library's own type are compared in one step. */
function isOfLibrary({ type: { kind, fields, parameters } }: SizedValue): boolean {
  return (kind === 'opaque' && parameters.length === 0) || (kind === 'struct' && fields?.size === 0)
}

export const joinedTexts: EstimateCall = ({ args: [left, right], sizeOf }) => {
  if (left === undefined || right === undefined) return undefined
  const size = sum(sizeOf(left), sizeOf(right))
  return { cost: scaled(size, traversalFactor), size }
}

export const joinedLists: EstimateCall = ({ args: [left, right], sizeOf }) =>
  left === undefined || right === undefined ? undefined : { cost: one, size: sum(sizeOf(left), sizeOf(right)) }

/** Each character of the text with each part of the pattern. */
export const matchedPattern: EstimateCall = ({ target, args, sizeOf }) => {
  const [text, pattern] = target === undefined ? args : [target, ...args]
  if (text === undefined || pattern === undefined) return undefined
  const characters = scaled(sum(sizeOf(text), exactly(1)), traversalFactor)
  return { cost: product(characters, scaled(sizeOf(pattern), regexFactor)) }
}

export const containedText: EstimateCall = ({ target, args: [part], sizeOf }) => {
  if (target === undefined || part === undefined) return undefined
  return { cost: product(scaled(sizeOf(target), traversalFactor), scaled(sizeOf(part), traversalFactor)) }
}
