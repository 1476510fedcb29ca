import { type CallToEstimate, type EstimateCall, product } from '../cost/range.ts'
import { type CelLibrary, type CelOverload, globalOverload } from '../environment.ts'
import type { Meter } from '../meter.ts'
import { areEqual } from '../run/equal.ts'
import { celItems } from '../run/lists.ts'
import { boolType, listType, typeParameter } from '../type.ts'
import { type CelList, type CelResult, type CelValue, noSuchOverload, valueSize } from '../value.ts'

const list = listType(typeParameter('T'))

type Relation = (left: readonly CelValue[], right: readonly CelValue[], meter: Meter) => boolean

function includes(list: readonly CelValue[], item: CelValue, meter: Meter): boolean {
  return list.some((each) => areEqual(each, item, meter))
}

const contains: Relation = (left, right, meter) => right.every((each) => includes(left, each, meter))

const intersects: Relation = (left, right, meter) => left.some((each) => includes(right, each, meter))

const isEquivalent: Relation = (left, right, meter) => contains(left, right, meter) && contains(right, left, meter)

function isList(value: CelValue | undefined): value is CelList {
  return typeof value === 'object' && value?.kind === 'list'
}

/** Each item of one is compared with each of the other. */
function relation(id: string, relation: Relation, rounds: number): CelOverload {
  const call = ([left, right]: readonly CelValue[], meter: Meter): CelResult => {
    if (!isList(left) || !isList(right)) return noSuchOverload
    const items = celItems(left, meter)
    if ('kind' in items) return items
    const others = celItems(right, meter)
    return 'kind' in others ? others : relation(items, others, meter)
  }
  const estimate: EstimateCall = ({ args: [left, right], sizeOf }: CallToEstimate) => {
    if (left === undefined || right === undefined) return undefined
    const { min, max } = product(sizeOf(left), sizeOf(right))
    return { cost: { min: 1 + min * rounds, max: 1 + max * rounds } }
  }
  const cost = ([left = null, right = null]: readonly CelValue[]) => 1 + rounds * valueSize(left) * valueSize(right)
  return globalOverload(id, [list, list], boolType, call, { cost, estimate })
}

export const sets: CelLibrary = {
  functions: [
    { name: 'sets.contains', overloads: [relation('list_sets_contains_list', contains, 1)] },
    { name: 'sets.equivalent', overloads: [relation('list_sets_equivalent_list', isEquivalent, 2)] },
    { name: 'sets.intersects', overloads: [relation('list_sets_intersects_list', intersects, 1)] },
  ],
}
