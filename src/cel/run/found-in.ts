import type { CelMap, CelResult, CelValue } from '../value.ts'
import type { WorkMeter } from '../work-meter.ts'

/** The key length that the cost of a lookup covers. */
const shortKey = 64
const charactersPerUnit = 8

/** Looking up a text visits each of its characters. */
export function payForKey(key: CelValue, meter: WorkMeter): void {
  if (typeof key === 'string' && key.length > shortKey) meter.work(key.length / charactersPerUnit)
}

/** The value of a map at a key; undefined if there is none. */
export function foundIn(map: CelMap, key: CelValue, meter: WorkMeter): CelResult | undefined {
  payForKey(key, meter)
  return map.find(key, meter)
}
