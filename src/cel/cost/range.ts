import type { CelType } from '../type.ts'

/** The bounds of a size or a cost. An unknown upper bound is `unlimited`. */
export interface Range {
  readonly min: number
  readonly max: number
}

/** The largest unsigned 64-bit integer, or as close as a number gets. */
export const unlimited = 2 ** 64

export const nothing: Range = { min: 0, max: 0 }
export const one: Range = { min: 1, max: 1 }
export const anySize: Range = { min: 0, max: unlimited }

/** The cost of visiting a character, a byte or an item. */
export const traversalFactor = 0.1
/** The cost of one character of a regular expression, for each character of the text. */
export const regexFactor = 0.25

export function exactly(value: number): Range {
  return { min: value, max: value }
}

function limited(value: number): number {
  return Math.min(value, unlimited)
}

export function sum(...ranges: readonly Range[]): Range {
  return ranges.reduce((left, right) => ({ min: limited(left.min + right.min), max: limited(left.max + right.max) }))
}

export function product(left: Range, right: Range): Range {
  return { min: limited(left.min * right.min), max: limited(left.max * right.max) }
}

export function scaled({ min, max }: Range, factor: number): Range {
  return { min: limited(Math.ceil(min * factor)), max: limited(Math.ceil(max * factor)) }
}

/** From the smaller minimum to the larger maximum. */
export function spanning(left: Range, right: Range): Range {
  return { min: Math.min(left.min, right.min), max: Math.max(left.max, right.max) }
}

/** A value that does not exist yet. */
export interface SizedValue {
  readonly type: CelType
  /** Its known size, for example that of a literal. */
  readonly size?: Range
  /** Its path in the variables; absent if it is computed. */
  readonly path?: readonly string[]
  /** Its value if it is a literal number. */
  readonly literal?: bigint
}

export interface CallToEstimate {
  readonly target?: SizedValue
  readonly args: readonly SizedValue[]
  /** Known, declared, or unlimited. */
  readonly sizeOf: (value: SizedValue) => Range
  /** The items of a list; undefined for anything else. */
  readonly itemOf: (list: SizedValue) => SizedValue | undefined
}

export interface CallEstimate {
  readonly cost: Range
  /** The size of the result. */
  readonly size?: Range
}

/** The cost of a call besides its arguments; undefined: 1. */
export type EstimateCall = (call: CallToEstimate) => CallEstimate | undefined
