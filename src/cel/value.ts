import { lazily } from '../base/lazily.ts'
import type { WorkMeter } from './work-meter.ts'

/** The values of expressions. `bigint` is an int, `number` a double. */
export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | CelBytes
  | CelUint
  | CelTimestamp
  | CelDuration
  | CelTypeValue
  | CelList
  | CelMap
  | CelOptional
  | CelOpaque

/** An error is a value until the end: `false && error` is false. */
export interface CelFailure {
  readonly kind: 'failure'
  readonly message: string
}

export type CelResult = CelValue | CelFailure

export interface CelBytes {
  readonly kind: 'bytes'
  readonly bytes: Uint8Array
}

export interface CelUint {
  readonly kind: 'uint'
  readonly value: bigint
}

export interface CelTimestamp {
  readonly kind: 'timestamp'
  /** Since 1970. */
  readonly nanoseconds: bigint
}

export interface CelDuration {
  readonly kind: 'duration'
  readonly nanoseconds: bigint
}

export interface CelTypeValue {
  readonly kind: 'type'
  readonly name: string
}

/**
 * Items are converted on first use, so that a large object costs nothing where a rule does not look. Each is converted
 * once, at the expense of the first evaluation that accesses it.
 */
export interface CelList {
  readonly kind: 'list'
  readonly size: number
  readonly at: (index: number, meter: WorkMeter) => CelResult
  /** Lists that are sets, or have keys, are compared and joined in special ways. */
  readonly sameAs?: (other: CelList, meter: WorkMeter) => boolean
  readonly plus?: (other: CelList, meter: WorkMeter) => CelList
}

/** A map, or an object with fields. */
export interface CelMap {
  readonly kind: 'map'
  readonly size: number
  /** Undefined if there is none. */
  readonly find: (key: CelValue, meter: WorkMeter) => CelResult | undefined
  readonly keys: (meter: WorkMeter) => readonly CelValue[]
}

export interface CelOptional {
  readonly kind: 'optional'
  readonly value: CelValue | undefined
}

/** A value of a library's own type. */
export interface CelOpaque {
  readonly kind: 'opaque'
  readonly typeName: string
  readonly size?: number
  readonly equals: (other: CelOpaque, meter: WorkMeter) => boolean
}

export function failure(message: string): CelFailure {
  return { kind: 'failure', message }
}

export function isFailure(result: CelResult): result is CelFailure {
  return typeof result === 'object' && result !== null && result.kind === 'failure'
}

export const noSuchOverload = failure('no such overload')

export const emptyOptional: CelOptional = { kind: 'optional', value: undefined }

export function optionalOf(value: CelValue): CelOptional {
  return { kind: 'optional', value }
}

export function celUint(value: bigint): CelUint {
  return { kind: 'uint', value }
}

export function celType(name: string): CelTypeValue {
  return { kind: 'type', name }
}

export function celBytes(bytes: Uint8Array): CelBytes {
  return { kind: 'bytes', bytes }
}

export function celList(items: readonly CelValue[]): CelList {
  return {
    kind: 'list',
    size: items.length,
    at: (index) => items[index] ?? null,
  }
}

export function celMap(entries: ReadonlyMap<string, readonly [CelValue, CelValue]>): CelMap {
  const keys = lazily(() => [...entries.values()].map(([key]) => key))
  return {
    kind: 'map',
    size: entries.size,
    find: (key) => {
      const name = celKey(key)
      return name === undefined ? noSuchOverload : entries.get(name)?.[1]
    },
    keys,
  }
}

/** Equal keys have the same text: 1, 1u and 1.0 do. Undefined for what cannot be a key. */
export function celKey(value: CelValue): string | undefined {
  switch (typeof value) {
    case 'string':
      return `s${value}`
    case 'boolean':
      return `b${value}`
    case 'bigint':
      return `n${value}`
    case 'number':
      return `n${Number.isInteger(value) ? BigInt(value) : value}`
    default:
      return value !== null && value.kind === 'uint' ? `n${value.value}` : undefined
  }
}

const typeNames = {
  bytes: 'bytes',
  uint: 'uint',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
  type: 'type',
  list: 'list',
  map: 'map',
  optional: 'optional_type',
} as const

export function typeNameOf(value: CelValue): string {
  if (value === null) return 'null_type'
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'boolean':
      return 'bool'
    case 'bigint':
      return 'int'
    case 'number':
      return 'double'
    default:
      return value.kind === 'opaque' ? value.typeName : typeNames[value.kind]
  }
}

/** The size in the cost of a call: characters, bytes, items or members. */
export function valueSize(value: CelValue): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 1
  switch (value.kind) {
    case 'list':
    case 'map':
      return value.size
    case 'bytes':
      return value.bytes.length
    case 'opaque':
      return value.size ?? 1
    default:
      return 1
  }
}

export function characterCount(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
