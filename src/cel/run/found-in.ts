import type { CelMap, CelResult, CelValue } from '../value.ts'
import type { WorkMeter } from '../work-meter.ts'

/** What the cost of a look pays for. */
const shortKey = 64
const charactersPerUnit = 8

/** To find a text takes a look at each of its characters. */
export function payForKey(key: CelValue, meter: WorkMeter): void {
  if (typeof key === 'string' && key.length > shortKey) meter.work(key.length / charactersPerUnit)
}

/** What a map has at a key; undefined where it has nothing. */
export function foundIn(map: CelMap, key: CelValue, meter: WorkMeter): CelResult | undefined {
  payForKey(key, meter)
  return map.find(key, meter)
}
