import { type EstimateCall, exactly, product, scaled, sum, traversalFactor } from '../../cel/cost/range.ts'
import { type CelFunction, type CelLibrary, type CelOverload, memberOverload } from '../../cel/environment.ts'
import type { Meter } from '../../cel/meter.ts'
import { areEqual, comparedValues, numberOf } from '../../cel/run/equal.ts'
import { celItems } from '../../cel/run/lists.ts'
import { checkedDuration, checkedInt, checkedUint } from '../../cel/standard/arithmetic.ts'
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  intType,
  listType,
  stringType,
  timestampType,
  typeParameter,
  uintType,
} from '../../cel/type.ts'
import { type CelResult, type CelValue, celUint, failure, noSuchOverload, valueSize } from '../../cel/value.ts'

const comparable: readonly (readonly [string, CelType])[] = [
  ['int', intType],
  ['uint', uintType],
  ['double', doubleType],
  ['bool', boolType],
  ['duration', durationType],
  ['timestamp', timestampType],
  ['string', stringType],
  ['bytes', bytesType],
]

type ListCall = (items: readonly CelValue[], meter: Meter, other: CelValue) => CelResult

/** One unit for each item, and for strings one for each character. */
const traversedItems: EstimateCall = ({ target, itemOf, sizeOf }) => {
  const item = target === undefined ? undefined : itemOf(target)
  if (target === undefined || item === undefined) return undefined
  const { kind } = item.type
  const isText = kind === 'string' || kind === 'bytes'
  const each = isText ? sum(exactly(1), scaled(sizeOf(item), traversalFactor)) : exactly(1)
  return { cost: product(sizeOf(target), each) }
}

function onList(call: ListCall): NonNullable<CelOverload['call']> {
  return ([list, other = null], meter) => {
    if (typeof list !== 'object' || list?.kind !== 'list') return noSuchOverload
    const items = celItems(list, meter)
    if ('kind' in items) return items
    for (const item of items) meter.charge(Math.max(1, Math.floor(valueSize(item) * traversalFactor)))
    return call(items, meter, other)
  }
}

/** The cost is that of the items, which are visited first. */
const costs = { cost: () => 0, estimate: traversedItems }

const isSorted: ListCall = (items) => {
  for (let index = 1; index < items.length; index++) {
    const compared = comparedValues(items[index - 1] ?? null, items[index] ?? null)
    if (compared === undefined) return noSuchOverload
    if (compared > 0) return false
  }
  return true
}

function extreme(name: string, isBetter: (compared: number) => boolean): ListCall {
  return (items) => {
    let best = items[0]
    if (best === undefined) return failure(`${name} called on empty list`)
    for (const item of items) {
      const compared = comparedValues(item, best)
      if (compared === undefined) return noSuchOverload
      if (isBetter(compared)) best = item
    }
    return best
  }
}

function total(zero: CelValue, add: (left: CelValue, right: CelValue) => CelResult): ListCall {
  return (items) => {
    let result: CelValue = zero
    for (const item of items) {
      const next = add(result, item)
      if (typeof next === 'object' && next?.kind === 'failure') return next
      result = next
    }
    return result
  }
}

function whole(checked: (value: bigint) => CelResult) {
  return (left: CelValue, right: CelValue): CelResult => {
    const one = numberOf(left)
    const other = numberOf(right)
    return typeof one === 'bigint' && typeof other === 'bigint' ? checked(one + other) : noSuchOverload
  }
}

const sums: readonly (readonly [string, CelType, ListCall])[] = [
  ['int', intType, total(0n, whole(checkedInt))],
  ['uint', uintType, total(celUint(0n), whole(checkedUint))],
  [
    'double',
    doubleType,
    total(0, (left, right) => (typeof left === 'number' && typeof right === 'number' ? left + right : noSuchOverload)),
  ],
  [
    'duration',
    durationType,
    total({ kind: 'duration', nanoseconds: 0n }, (left, right) =>
      isDuration(left) && isDuration(right) ? checkedDuration(left.nanoseconds + right.nanoseconds) : noSuchOverload,
    ),
  ],
]

function isDuration(value: CelValue): value is Extract<CelValue, { kind: 'duration' }> {
  return typeof value === 'object' && value?.kind === 'duration'
}

function ofComparable(
  name: string,
  id: (type: string) => string,
  result: CelType | 'item',
  call: ListCall,
): CelFunction {
  return {
    name,
    overloads: comparable.map(([typeName, type]) =>
      memberOverload(id(typeName), [listType(type)], result === 'item' ? type : result, onList(call), costs),
    ),
  }
}

const a = typeParameter('A')

export const kubernetesLists: CelLibrary = {
  functions: [
    ofComparable('isSorted', (type) => `list_${type}_is_sorted_bool`, boolType, isSorted),
    ofComparable(
      'min',
      (type) => `list_${type}_min_${type}`,
      'item',
      extreme('min', (compared) => compared < 0),
    ),
    ofComparable(
      'max',
      (type) => `list_${type}_max_${type}`,
      'item',
      extreme('max', (compared) => compared > 0),
    ),
    {
      name: 'sum',
      overloads: sums.map(([name, type, call]) =>
        memberOverload(`list_${name}_sum_${name}`, [listType(type)], type, onList(call), costs),
      ),
    },
    {
      name: 'indexOf',
      overloads: [
        memberOverload(
          'list_a_index_of_int',
          [listType(a), a],
          intType,
          onList((items, meter, other) => BigInt(items.findIndex((item) => areEqual(item, other, meter)))),
          costs,
        ),
      ],
    },
    {
      name: 'lastIndexOf',
      overloads: [
        memberOverload(
          'list_a_last_index_of_int',
          [listType(a), a],
          intType,
          onList((items, meter, other) => BigInt(items.findLastIndex((item) => areEqual(item, other, meter)))),
          costs,
        ),
      ],
    },
  ],
}
