import {
  type CelResult,
  type CelValue,
  emptyOptional,
  failure,
  isFailure,
  noSuchOverload,
  optionalOf,
} from '../value.ts'

export function fieldOf(value: CelValue, field: string): CelResult {
  if (typeof value !== 'object' || value === null) return noSuchOverload
  if (value.kind === 'map') return value.find(field) ?? noSuchKey(field)
  if (value.kind !== 'optional') return noSuchOverload
  return value.value === undefined ? emptyOptional : optionalField(value.value, field)
}

/** `a.?b`: nothing if `b` is not there. */
export function optionalField(value: CelValue, field: CelValue): CelResult {
  if (typeof value !== 'object' || value === null) return noSuchOverload
  if (value.kind === 'map') return asOptional(value.find(field))
  if (value.kind !== 'optional') return noSuchOverload
  return value.value === undefined ? emptyOptional : optionalField(value.value, field)
}

export function indexed(value: CelValue, key: CelValue): CelResult {
  if (typeof value !== 'object' || value === null) return noSuchOverload
  if (value.kind === 'map') return value.find(key) ?? noSuchKey(key)
  if (value.kind === 'optional') {
    return value.value === undefined ? emptyOptional : optionallyIndexed(value.value, key)
  }
  if (value.kind !== 'list') return noSuchOverload
  const index = indexOf(key)
  if (index === undefined) return noSuchOverload
  return index >= 0 && index < value.size ? value.at(index) : failure(`index out of bounds: ${index}`)
}

/** `a[?b]`: nothing if there is nothing at `b`. */
export function optionallyIndexed(value: CelValue, key: CelValue): CelResult {
  if (typeof value !== 'object' || value === null) return noSuchOverload
  if (value.kind === 'map') return asOptional(value.find(key))
  if (value.kind === 'optional') {
    return value.value === undefined ? emptyOptional : optionallyIndexed(value.value, key)
  }
  const index = indexOf(key)
  if (value.kind !== 'list' || index === undefined) return noSuchOverload
  return index >= 0 && index < value.size ? asOptional(value.at(index)) : emptyOptional
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

function noSuchKey(key: CelValue): CelResult {
  const shown = typeof key === 'object' && key?.kind === 'uint' ? key.value : key
  return failure(`no such key: ${typeof shown === 'object' ? '' : shown}`)
}
