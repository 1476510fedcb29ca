import { bothTraversed, listSearched, shorterTraversed } from '../cost/call-costs.ts'
import { compared, joinedLists, joinedTexts, searchedList } from '../cost/standard-estimates.ts'
import type { CelFunction, CelLibrary, CelOverload } from '../environment.ts'
import { globalOverload } from '../environment.ts'
import type { Meter } from '../meter.ts'
import { areEqual, comparedValues, numberOf } from '../run/equal.ts'
import { foundIn } from '../run/found-in.ts'
import { concatenated } from '../run/lists.ts'
import { operator } from '../syntax/tree.ts'
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  intType,
  listType,
  mapType,
  stringType,
  timestampType,
  typeParameter,
  uintType,
} from '../type.ts'
import { type CelResult, type CelValue, celBytes, isFailure, noSuchOverload } from '../value.ts'
import {
  checkedDuration,
  checkedInt,
  checkedTimestamp,
  checkedUint,
  divided,
  durationBetween,
  remainder,
} from './arithmetic.ts'

const a = typeParameter('A')
const b = typeParameter('B')

/** Functions that the evaluation implements itself. */
function builtin(id: string, parameters: readonly CelType[], result: CelType): CelOverload {
  return { id, isMember: false, parameters, result }
}

const logic: readonly CelFunction[] = [
  { name: operator.conditional, overloads: [builtin('conditional', [boolType, a, a], a)] },
  { name: operator.and, overloads: [builtin('logical_and', [boolType, boolType], boolType)] },
  { name: operator.or, overloads: [builtin('logical_or', [boolType, boolType], boolType)] },
  {
    name: operator.not,
    overloads: [
      globalOverload('logical_not', [boolType], boolType, ([value]) =>
        typeof value === 'boolean' ? !value : noSuchOverload,
      ),
    ],
  },
  { name: operator.notStrictlyFalse, overloads: [builtin('not_strictly_false', [boolType], boolType)] },
]

const equality: readonly CelFunction[] = [
  {
    name: operator.equals,
    overloads: [
      globalOverload('equals', [a, a], boolType, ([left = null, right = null], meter) => areEqual(left, right, meter), {
        cost: shorterTraversed,
        estimate: compared,
      }),
    ],
  },
  {
    name: operator.notEquals,
    overloads: [
      globalOverload(
        'not_equals',
        [a, a],
        boolType,
        ([left = null, right = null], meter) => !areEqual(left, right, meter),
        { cost: shorterTraversed, estimate: compared },
      ),
    ],
  },
]

const ordered: readonly (readonly [string, CelType])[] = [
  ['bool', boolType],
  ['int64', intType],
  ['uint64', uintType],
  ['double', doubleType],
  ['string', stringType],
  ['bytes', bytesType],
  ['timestamp', timestampType],
  ['duration', durationType],
]

const mixedNumbers: readonly (readonly [string, CelType, CelType])[] = [
  ['int64_double', intType, doubleType],
  ['int64_uint64', intType, uintType],
  ['uint64_double', uintType, doubleType],
  ['uint64_int64', uintType, intType],
  ['double_int64', doubleType, intType],
  ['double_uint64', doubleType, uintType],
]

function ordering(name: string, id: string, holds: (compared: number) => boolean): CelFunction {
  const call = ([left = null, right = null]: readonly CelValue[]): CelResult => {
    const found = comparedValues(left, right)
    return found === undefined ? noSuchOverload : holds(found)
  }
  const same = ordered.map(([type, each]) => {
    const costs = type === 'string' || type === 'bytes' ? { cost: shorterTraversed, estimate: compared } : {}
    return globalOverload(`${id}_${type}`, [each, each], boolType, call, costs)
  })
  const mixed = mixedNumbers.map(([types, left, right]) =>
    globalOverload(`${id}_${types}`, [left, right], boolType, call),
  )
  return { name, overloads: [...same, ...mixed] }
}

const comparison: readonly CelFunction[] = [
  ordering('_<_', 'less', (compared) => compared < 0),
  ordering('_<=_', 'less_equals', (compared) => compared <= 0),
  ordering('_>_', 'greater', (compared) => compared > 0),
  ordering('_>=_', 'greater_equals', (compared) => compared >= 0),
]

type Pair<Type> = (left: Type, right: Type) => CelResult

/** The same operation on the three types of numbers. */
function numeric(id: string, ints: Pair<bigint>, uints: Pair<bigint>, doubles?: Pair<number>): readonly CelOverload[] {
  const whole =
    (operation: Pair<bigint>) =>
    ([left = null, right = null]: readonly CelValue[]) => {
      const one = numberOf(left)
      const other = numberOf(right)
      return typeof one === 'bigint' && typeof other === 'bigint' ? operation(one, other) : noSuchOverload
    }
  const overloads = [
    globalOverload(`${id}_int64`, [intType, intType], intType, whole(ints)),
    globalOverload(`${id}_uint64`, [uintType, uintType], uintType, whole(uints)),
  ]
  if (doubles === undefined) return overloads
  const real = ([left, right]: readonly CelValue[]) =>
    typeof left === 'number' && typeof right === 'number' ? doubles(left, right) : noSuchOverload
  return [...overloads, globalOverload(`${id}_double`, [doubleType, doubleType], doubleType, real)]
}

type Times = readonly [left: bigint, right: bigint]

/** An operation on times, which are nanoseconds. */
function timed(
  id: string,
  [left, right]: readonly [CelType, CelType],
  result: CelType,
  operation: (...times: Times) => CelResult,
): CelOverload {
  return globalOverload(id, [left, right], result, ([one = null, other = null]) =>
    isTime(one) && isTime(other) ? operation(one.nanoseconds, other.nanoseconds) : noSuchOverload,
  )
}

function isTime(value: CelValue): value is Extract<CelValue, { nanoseconds: bigint }> {
  return typeof value === 'object' && value !== null && (value.kind === 'timestamp' || value.kind === 'duration')
}

const arithmetic: readonly CelFunction[] = [
  {
    name: operator.add,
    overloads: [
      ...numeric(
        'add',
        (left, right) => checkedInt(left + right),
        (left, right) => checkedUint(left + right),
        (left, right) => left + right,
      ),
      globalOverload(
        'add_string',
        [stringType, stringType],
        stringType,
        ([left, right]) => (typeof left === 'string' && typeof right === 'string' ? left + right : noSuchOverload),
        { cost: bothTraversed, estimate: joinedTexts },
      ),
      globalOverload('add_bytes', [bytesType, bytesType], bytesType, addBytes, {
        cost: bothTraversed,
        estimate: joinedTexts,
      }),
      globalOverload('add_list', [listType(a), listType(a)], listType(a), addLists, { estimate: joinedLists }),
      timed('add_timestamp_duration', [timestampType, durationType], timestampType, (left, right) =>
        checkedTimestamp(left + right),
      ),
      timed('add_duration_timestamp', [durationType, timestampType], timestampType, (left, right) =>
        checkedTimestamp(left + right),
      ),
      timed('add_duration_duration', [durationType, durationType], durationType, (left, right) =>
        checkedDuration(left + right),
      ),
    ],
  },
  {
    name: '_-_',
    overloads: [
      ...numeric(
        'subtract',
        (left, right) => checkedInt(left - right),
        (left, right) => checkedUint(left - right),
        (left, right) => left - right,
      ),
      timed('subtract_timestamp_timestamp', [timestampType, timestampType], durationType, durationBetween),
      timed('subtract_timestamp_duration', [timestampType, durationType], timestampType, (left, right) =>
        checkedTimestamp(left - right),
      ),
      timed('subtract_duration_duration', [durationType, durationType], durationType, (left, right) =>
        checkedDuration(left - right),
      ),
    ],
  },
  {
    name: '_*_',
    overloads: numeric(
      'multiply',
      (left, right) => checkedInt(left * right),
      (left, right) => checkedUint(left * right),
      (left, right) => left * right,
    ),
  },
  {
    name: '_/_',
    overloads: numeric(
      'divide',
      (left, right) => divided(left, right, checkedInt),
      (left, right) => divided(left, right, checkedUint),
      (left, right) => left / right,
    ),
  },
  {
    name: '_%_',
    overloads: numeric(
      'modulo',
      (left, right) => remainder(left, right, checkedInt),
      (left, right) => remainder(left, right, checkedUint),
    ),
  },
  {
    name: operator.negate,
    overloads: [
      globalOverload('negate_int64', [intType], intType, ([value]) =>
        typeof value === 'bigint' ? checkedInt(-value) : noSuchOverload,
      ),
      globalOverload('negate_double', [doubleType], doubleType, ([value]) =>
        typeof value === 'number' ? -value : noSuchOverload,
      ),
    ],
  },
]

function addBytes([left = null, right = null]: readonly CelValue[]): CelResult {
  if (typeof left !== 'object' || typeof right !== 'object' || left?.kind !== 'bytes' || right?.kind !== 'bytes') {
    return noSuchOverload
  }
  const joined = new Uint8Array(left.bytes.length + right.bytes.length)
  joined.set(left.bytes)
  joined.set(right.bytes, left.bytes.length)
  return celBytes(joined)
}

function addLists([left = null, right = null]: readonly CelValue[], meter: Meter): CelResult {
  if (typeof left !== 'object' || typeof right !== 'object' || left?.kind !== 'list' || right?.kind !== 'list') {
    return noSuchOverload
  }
  return concatenated(left, right, meter)
}

const containment: readonly CelFunction[] = [
  {
    name: operator.in,
    overloads: [
      globalOverload('in_list', [a, listType(a)], boolType, isIn, { cost: listSearched, estimate: searchedList }),
      globalOverload('in_map', [a, mapType(a, b)], boolType, isIn),
    ],
  },
  {
    name: operator.index,
    overloads: [builtin('index_list', [listType(a), intType], a), builtin('index_map', [mapType(a, b), a], b)],
  },
]

function isIn([item = null, container = null]: readonly CelValue[], meter: Meter): CelResult {
  if (typeof container !== 'object' || container === null) return noSuchOverload
  if (container.kind === 'map') {
    const found = foundIn(container, item, meter)
    return found !== undefined && isFailure(found) ? found : found !== undefined
  }
  if (container.kind !== 'list') return noSuchOverload
  for (let index = 0; index < container.size; index++) {
    const each = container.at(index, meter)
    if (!isFailure(each) && areEqual(each, item, meter)) return true
  }
  return false
}

export const operators: CelLibrary = {
  functions: [...logic, ...equality, ...comparison, ...arithmetic, ...containment],
}
