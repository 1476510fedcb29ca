import {
  type CelResult,
  type CelValue,
  emptyOptional,
  failure,
  isFailure,
  noSuchOverload,
  optionalOf,
} from '../value.ts'
import type { WorkMeter } from '../work-meter.ts'
import { foundIn } from './found-in.ts'

export function fieldOf(value: CelValue, field: string, meter: WorkMeter): CelResult {
  if (typeof value !== 'object' || value === null) return noSuchKey(field)
  if (value.kind === 'map') return foundIn(value, field, meter) ?? noSuchKey(field)
  if (value.kind === 'list') return failure("unsupported index type 'string' in list")
  if (value.kind !== 'optional') return noSuchKey(field)
  return value.value === undefined ? emptyOptional : optionalField(value.value, field, meter)
}

/** `a.?b`: an empty optional if `b` does not exist. */
export function optionalField(value: CelValue, field: CelValue, meter: WorkMeter): CelResult {
  if (typeof value !== 'object' || value === null) return noSuchOverload
  if (value.kind === 'map') return asOptional(foundIn(value, field, meter))
  if (value.kind !== 'optional') return noSuchOverload
  return value.value === undefined ? emptyOptional : optionalField(value.value, field, meter)
}

export function indexed(value: CelValue, key: CelValue, meter: WorkMeter): CelResult {
  if (typeof value !== 'object' || value === null) return noSuchOverload
  if (value.kind === 'map') return foundIn(value, key, meter) ?? noSuchKey(key)
  if (value.kind === 'optional') {
    return value.value === undefined ? emptyOptional : optionallyIndexed(value.value, key, meter)
  }
  if (value.kind !== 'list') return noSuchOverload
  const index = indexOf(key)
  if (index === undefined) return noSuchOverload
  return index >= 0 && index < value.size ? value.at(index, meter) : failure(`index out of bounds: ${index}`)
}

/** `a[?b]`: an empty optional if there is nothing at `b`. */
export function optionallyIndexed(value: CelValue, key: CelValue, meter: WorkMeter): CelResult {
  if (typeof value !== 'object' || value === null) return noSuchOverload
  if (value.kind === 'map') return asOptional(foundIn(value, key, meter))
  if (value.kind === 'optional') {
    return value.value === undefined ? emptyOptional : optionallyIndexed(value.value, key, meter)
  }
  const index = indexOf(key)
  if (value.kind !== 'list' || index === undefined) return noSuchOverload
  return index >= 0 && index < value.size ? asOptional(value.at(index, meter)) : emptyOptional
}

function indexOf(key: CelValue): number | undefined {
  if (typeof key === 'bigint') return Number(key)
  if (typeof key === 'number') return Number.isInteger(key) ? key : undefined
  return typeof key === 'object' && key?.kind === 'uint' ? Number(key.value) : undefined
}

function asOptional(found: CelResult | undefined): CelResult {
  if (found === undefined) return emptyOptional
  return isFailure(found) ? found : optionalOf(found)
}

/** Characters of a missing key in an error. */
const mostShown = 200

function noSuchKey(key: CelValue): CelResult {
  const shown = typeof key === 'object' && key?.kind === 'uint' ? key.value : key
  return failure(`no such key: ${typeof shown === 'object' ? '' : String(shown).slice(0, mostShown)}`)
}
