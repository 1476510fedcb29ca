import { type CelList, type CelMap, type CelResult, type CelValue, isFailure } from '../value.ts'
import type { WorkMeter } from '../work-meter.ts'
import { foundIn } from './found-in.ts'

/** Values of different types are not equal, except for numbers of the same value. Each comparison is counted. */
export function areEqual(left: CelValue, right: CelValue, meter: WorkMeter): boolean {
  if (typeof left === 'string' && typeof right === 'string') return areSameTexts(left, right, meter)
  meter.work(1)
  if (left === right) return !Number.isNaN(left)
  if (typeof left === 'string' || typeof right === 'string') return false
  const number = numberOf(left)
  if (number !== undefined) {
    const other = numberOf(right)
    // biome-ignore lint/suspicious/noDoubleEquals: an int and a double of the same value are equal
    return other !== undefined && number == other
  }
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  return areSameObjects(left, right, meter)
}

/** How many characters are compared in the time of one comparison. */
const charactersPerLook = 16

function areSameTexts(left: string, right: string, meter: WorkMeter): boolean {
  const isAsLong = left.length === right.length
  meter.work(isAsLong ? 1 + left.length / charactersPerLook : 1)
  return isAsLong && left === right
}

/** The number of a value of any of the three numeric types. */
export function numberOf(value: CelValue): bigint | number | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return value
  return typeof value === 'object' && value !== null && value.kind === 'uint' ? value.value : undefined
}

type CelObject = Exclude<CelValue, null | boolean | bigint | number | string>

function areSameObjects(left: CelObject, right: CelObject, meter: WorkMeter): boolean {
  switch (left.kind) {
    case 'bytes':
      return right.kind === 'bytes' && areSameBytes(left.bytes, right.bytes, meter)
    case 'timestamp':
    case 'duration':
      return right.kind === left.kind && left.nanoseconds === right.nanoseconds
    case 'type':
      return right.kind === 'type' && left.name === right.name
    case 'list':
      return right.kind === 'list' && areSameLists(left, right, meter)
    case 'map':
      return right.kind === 'map' && areSameMaps(left, right, meter)
    case 'optional':
      return right.kind === 'optional' && areSameResults(left.value, right.value, meter)
    case 'opaque':
      return right.kind === 'opaque' && left.typeName === right.typeName && left.equals(right, meter)
    case 'uint':
      return false
  }
}

function areSameBytes(left: Uint8Array, right: Uint8Array, meter: WorkMeter): boolean {
  meter.work(left.length)
  return left.length === right.length && left.every((byte, index) => byte === right[index])
}

function areSameLists(left: CelList, right: CelList, meter: WorkMeter): boolean {
  if (left.size !== right.size) return false
  if (left.sameAs !== undefined) return left.sameAs(right, meter)
  for (let index = 0; index < left.size; index++) {
    if (!areSameResults(left.at(index, meter), right.at(index, meter), meter)) return false
  }
  return true
}

function areSameMaps(left: CelMap, right: CelMap, meter: WorkMeter): boolean {
  if (left.size !== right.size) return false
  return left.keys(meter).every((key) => areSameResults(foundIn(left, key, meter), foundIn(right, key, meter), meter))
}

function areSameResults(left: CelResult | undefined, right: CelResult | undefined, meter: WorkMeter): boolean {
  if (left === undefined || right === undefined) return left === right
  return !isFailure(left) && !isFailure(right) && areEqual(left, right, meter)
}

/** Negative, zero or positive; undefined if the types have no order. NaN has no order with anything. */
export function comparedValues(left: CelValue, right: CelValue): number | undefined {
  if (typeof left === 'string' && typeof right === 'string') return comparedTexts(left, right)
  const number = numberOf(left)
  const other = numberOf(right)
  if (number !== undefined && other !== undefined) {
    if (number < other) return -1
    return number > other ? 1 : number >= other ? 0 : Number.NaN
  }
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right)
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return undefined
  if ((left.kind === 'timestamp' || left.kind === 'duration') && right.kind === left.kind) {
    return left.nanoseconds < right.nanoseconds ? -1 : left.nanoseconds > right.nanoseconds ? 1 : 0
  }
  return left.kind === 'bytes' && right.kind === 'bytes' ? comparedBytes(left.bytes, right.bytes) : undefined
}

/** By code points, like UTF-8. */
function comparedTexts(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length)
  for (let at = 0; at < shorter; at++) {
    const a = left.charCodeAt(at)
    const b = right.charCodeAt(at)
    if (a === b) continue
    return isSurrogate(a) === isSurrogate(b) ? a - b : isSurrogate(a) ? 1 : -1
  }
  return left.length - right.length
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}

function comparedBytes(left: Uint8Array, right: Uint8Array): number {
  const shorter = Math.min(left.length, right.length)
  for (let at = 0; at < shorter; at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}
