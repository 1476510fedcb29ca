import { type CelList, type CelResult, type CelValue, celList, isFailure } from '../value.ts'
import type { WorkMeter } from '../work-meter.ts'

/** The work of copying one item. */
const workOfItem = 3

/** Copied, so its size is charged when it is made. */
export function concatenated(left: CelList, right: CelList, meter: WorkMeter): CelResult {
  if (left.plus !== undefined) return left.plus(right, meter)
  if (right.size === 0) return left
  if (left.size === 0 && right.plus === undefined) return right
  meter.work((left.size + right.size) * workOfItem)
  const items: CelValue[] = []
  for (const list of [left, right]) {
    for (let index = 0; index < list.size; index++) {
      const item = list.at(index, meter)
      if (isFailure(item)) return item
      items.push(item)
    }
  }
  return celList(items)
}

/** All items, or the first failure. */
export function celItems(
  list: CelList,
  meter: WorkMeter,
): readonly CelValue[] | Extract<CelResult, { kind: 'failure' }> {
  meter.work(list.size)
  const items: CelValue[] = []
  for (let index = 0; index < list.size; index++) {
    const item = list.at(index, meter)
    if (isFailure(item)) return item
    items.push(item)
  }
  return items
}
