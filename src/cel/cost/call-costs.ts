import { type CelValue, valueSize } from '../value.ts'
import { regexFactor, traversalFactor } from './range.ts'

/** The cost of calls at run time, given their arguments. */
type CallCost = (args: readonly CelValue[]) => number

export function traversalCost(size: number, factor = 1): number {
  return Math.ceil(size * factor * traversalFactor)
}

export const firstTraversed: CallCost = ([first = null]) => traversalCost(valueSize(first))

export const firstTraversedTwice: CallCost = ([first = null]) => traversalCost(valueSize(first), 2)

export const bothTraversed: CallCost = ([left = null, right = null]) =>
  traversalCost(valueSize(left) + valueSize(right))

export const shorterTraversed: CallCost = ([left = null, right = null]) =>
  traversalCost(Math.min(valueSize(left), valueSize(right)))

export const listSearched: CallCost = ([, list = null]) => valueSize(list)

export const patternMatched: CallCost = ([text = null, pattern = null]) =>
  traversalCost(1 + valueSize(text)) * Math.ceil(valueSize(pattern) * regexFactor)

export const textContained: CallCost = ([text = null, part = null]) =>
  traversalCost(valueSize(text)) * traversalCost(valueSize(part))
