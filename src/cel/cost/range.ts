import type { CelType } from '../type.ts'

/** Between which a size or a cost lies. What is not known is up to `unlimited`. */
export interface Range {
  readonly min: number
  readonly max: number
}

/** The largest unsigned integer of 64 bits, or as near as a number comes. */
export const unlimited = 2 ** 64

export const nothing: Range = { min: 0, max: 0 }
export const one: Range = { min: 1, max: 1 }
export const anySize: Range = { min: 0, max: unlimited }

/** To look at a character, a byte or an item. */
export const traversalFactor = 0.1
/** To look at a character of a regular expression, for each that it is held against. */
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

/** From the smaller of both to the larger. */
export function spanning(left: Range, right: Range): Range {
  return { min: Math.min(left.min, right.min), max: Math.max(left.max, right.max) }
}

/** A value that does not exist yet. */
export interface SizedValue {
  readonly type: CelType
  /** What is known of it, for example that it is a literal. */
  readonly size?: Range
  /** Where it is found in the variables; absent if it is calculated. */
  readonly path?: readonly string[]
  /** If it is a literal number. */
  readonly literal?: bigint
}

export interface CallToEstimate {
  readonly target?: SizedValue
  readonly args: readonly SizedValue[]
  /** Known, declared, or any. */
  readonly sizeOf: (value: SizedValue) => Range
  /** The items of a list; undefined for anything else. */
  readonly itemOf: (list: SizedValue) => SizedValue | undefined
}

export interface CallEstimate {
  readonly cost: Range
  /** Of the result. */
  readonly size?: Range
}

/** What a call costs besides its arguments; undefined: 1. */
export type EstimateCall = (call: CallToEstimate) => CallEstimate | undefined
