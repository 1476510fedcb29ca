import { firstTraversed } from '../cost/call-costs.ts'
import { scaled, traversalFactor } from '../cost/range.ts'
import { type CelFunction, type CelLibrary, type CelOverload, globalOverload } from '../environment.ts'
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  stringType,
  timestampType,
  typeOfType,
  typeParameter,
  uintType,
} from '../type.ts'
import { type CelResult, type CelValue, celBytes, celType, celUint, failure, typeNameOf } from '../value.ts'
import { checkedInt, checkedTimestamp, checkedUint } from './arithmetic.ts'
import { printDouble } from './go-number.ts'
import { celDuration, celTimestamp, printDuration, printTimestamp } from './time.ts'

function conversionError(value: CelValue, to: string): CelResult {
  return failure(`type conversion error from '${typeNameOf(value)}' to '${to}'`)
}

const int64 = 2 ** 63

function toInt(value: CelValue): CelResult {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') {
    return value > -int64 && value < int64 ? BigInt(Math.trunc(value)) : failure('integer overflow')
  }
  if (typeof value === 'string') return parsedInt(value) ?? conversionError(value, 'int')
  if (typeof value === 'object' && value?.kind === 'uint') return checkedInt(value.value)
  if (typeof value === 'object' && value?.kind === 'timestamp') return floored(value.nanoseconds)
  if (typeof value === 'object' && value?.kind === 'duration') return value.nanoseconds
  return conversionError(value, 'int')
}

function floored(nanoseconds: bigint): bigint {
  const seconds = nanoseconds / 1_000_000_000n
  return nanoseconds < 0n && seconds * 1_000_000_000n !== nanoseconds ? seconds - 1n : seconds
}

function parsedInt(text: string): CelResult | undefined {
  if (!/^[+-]?\d{1,40}$/.test(text)) return undefined
  const value = checkedInt(BigInt(text.replace(/^\+/, '')))
  return typeof value === 'bigint' ? value : undefined
}

function toUint(value: CelValue): CelResult {
  if (typeof value === 'bigint') return checkedUint(value)
  if (typeof value === 'number') {
    return value >= 0 && value < 2 ** 64 ? celUint(BigInt(Math.trunc(value))) : failure('unsigned integer overflow')
  }
  if (typeof value === 'string') {
    const parsed = /^\d{1,40}$/.test(value) ? BigInt(value) : -1n
    return parsed < 0n || parsed >= 2n ** 64n ? conversionError(value, 'uint') : celUint(parsed)
  }
  return typeof value === 'object' && value?.kind === 'uint' ? value : conversionError(value, 'uint')
}

const decimal = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/

function toDouble(value: CelValue): CelResult {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'string') return parsedDouble(value) ?? conversionError(value, 'double')
  return typeof value === 'object' && value?.kind === 'uint' ? Number(value.value) : conversionError(value, 'double')
}

function parsedDouble(text: string): number | undefined {
  if (text.length > 1000) return undefined
  if (decimal.test(text)) {
    const value = Number(text)
    return Number.isFinite(value) ? value : undefined
  }
  if (/^\+?inf(inity)?$/i.test(text)) return Number.POSITIVE_INFINITY
  if (/^-inf(inity)?$/i.test(text)) return Number.NEGATIVE_INFINITY
  return /^nan$/i.test(text) ? Number.NaN : undefined
}

function toText(value: CelValue): CelResult {
  switch (typeof value) {
    case 'string':
      return value
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'number':
      return printDouble(value)
    default:
      return objectText(value)
  }
}

function objectText(value: CelValue): CelResult {
  if (typeof value !== 'object' || value === null) return conversionError(value, 'string')
  switch (value.kind) {
    case 'uint':
      return String(value.value)
    case 'bytes':
      return decoded(value.bytes)
    case 'timestamp':
      return printTimestamp(value.nanoseconds)
    case 'duration':
      return printDuration(value.nanoseconds)
    default:
      return conversionError(value, 'string')
  }
}

function decoded(bytes: Uint8Array): CelResult {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return failure('invalid UTF-8 in bytes, cannot convert to string')
  }
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
])

function toBool(value: CelValue): CelResult {
  if (typeof value === 'boolean') return value
  return (typeof value === 'string' ? truths.get(value) : undefined) ?? conversionError(value, 'bool')
}

function toBytes(value: CelValue): CelResult {
  if (typeof value === 'string') return celBytes(new TextEncoder().encode(value))
  return typeof value === 'object' && value?.kind === 'bytes' ? value : conversionError(value, 'bytes')
}

function toDuration(value: CelValue): CelResult {
  if (typeof value === 'string') return celDuration(value) ?? conversionError(value, 'google.protobuf.Duration')
  if (typeof value === 'bigint') return { kind: 'duration', nanoseconds: value }
  const isDuration = typeof value === 'object' && value?.kind === 'duration'
  return isDuration ? value : conversionError(value, 'google.protobuf.Duration')
}

function toTimestamp(value: CelValue): CelResult {
  if (typeof value === 'string') return celTimestamp(value) ?? conversionError(value, 'google.protobuf.Timestamp')
  if (typeof value === 'bigint') return checkedTimestamp(value * 1_000_000_000n)
  const isTimestamp = typeof value === 'object' && value?.kind === 'timestamp'
  return isTimestamp ? value : conversionError(value, 'google.protobuf.Timestamp')
}

function conversion(
  name: string,
  result: CelType,
  sources: readonly (readonly [string, CelType])[],
  convert: (value: CelValue) => CelResult,
): CelFunction {
  const call = ([value = null]: readonly CelValue[]) => convert(value)
  const overloads = sources.map(([id, type]) => globalOverload(id, [type], result, call, costsOf(id)))
  return { name, overloads }
}

/**
 * Only functions that visit every character cost more than one. An estimate does not know the length of a printed
 * number.
 */
function costsOf(id: string): Pick<CelOverload, 'cost' | 'estimate'> {
  if (id !== 'string_to_bytes' && id !== 'bytes_to_string') return {}
  const isEncoded = id === 'string_to_bytes'
  return {
    cost: firstTraversed,
    estimate: ({ args: [value], sizeOf }) => {
      if (value === undefined) return undefined
      const { min, max } = sizeOf(value)
      const size = isEncoded ? { min, max: max * bytesPerCharacter } : { min: Math.floor(min / bytesPerCharacter), max }
      return { cost: scaled({ min, max }, traversalFactor), size }
    },
  }
}

const bytesPerCharacter = 4

const a = typeParameter('A')

const functions: readonly CelFunction[] = [
  conversion(
    'bool',
    boolType,
    [
      ['bool_to_bool', boolType],
      ['string_to_bool', stringType],
    ],
    toBool,
  ),
  conversion(
    'bytes',
    bytesType,
    [
      ['bytes_to_bytes', bytesType],
      ['string_to_bytes', stringType],
    ],
    toBytes,
  ),
  conversion(
    'double',
    doubleType,
    [
      ['double_to_double', doubleType],
      ['int64_to_double', intType],
      ['string_to_double', stringType],
      ['uint64_to_double', uintType],
    ],
    toDouble,
  ),
  conversion(
    'duration',
    durationType,
    [
      ['duration_to_duration', durationType],
      ['int64_to_duration', intType],
      ['string_to_duration', stringType],
    ],
    toDuration,
  ),
  conversion(
    'int',
    intType,
    [
      ['int64_to_int64', intType],
      ['double_to_int64', doubleType],
      ['duration_to_int64', durationType],
      ['string_to_int64', stringType],
      ['timestamp_to_int64', timestampType],
      ['uint64_to_int64', uintType],
    ],
    toInt,
  ),
  conversion(
    'string',
    stringType,
    [
      ['string_to_string', stringType],
      ['bool_to_string', boolType],
      ['bytes_to_string', bytesType],
      ['double_to_string', doubleType],
      ['duration_to_string', durationType],
      ['int64_to_string', intType],
      ['timestamp_to_string', timestampType],
      ['uint64_to_string', uintType],
    ],
    toText,
  ),
  conversion(
    'timestamp',
    timestampType,
    [
      ['timestamp_to_timestamp', timestampType],
      ['int64_to_timestamp', intType],
      ['string_to_timestamp', stringType],
    ],
    toTimestamp,
  ),
  conversion(
    'uint',
    uintType,
    [
      ['uint64_to_uint64', uintType],
      ['double_to_uint64', doubleType],
      ['int64_to_uint64', intType],
      ['string_to_uint64', stringType],
    ],
    toUint,
  ),
  conversion('dyn', dynType, [['to_dyn', a]], (value) => value),
  conversion('type', typeOfType(a), [['type', a]], (value) => celType(typeNameOf(value))),
]

export const conversions: CelLibrary = {
  functions,
  types: new Map<string, CelType>([
    ['bool', boolType],
    ['bytes', bytesType],
    ['double', doubleType],
    ['google.protobuf.Duration', durationType],
    ['google.protobuf.Timestamp', timestampType],
    ['int', intType],
    ['list', listType(dynType)],
    ['map', mapType(dynType, dynType)],
    ['null_type', nullType],
    ['string', stringType],
    ['type', typeOfType()],
    ['uint', uintType],
  ]),
}
