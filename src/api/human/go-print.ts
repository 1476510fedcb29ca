import { isJsonObject } from '../../base/json/member.ts'

/** A JSON value as printed by Go's `%v`, for messages that clients know: `map[name:a ports:[1 2]]`. */
export function goValue(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(goValue).join(' ')}]`
  if (!isJsonObject(value)) return String(value)
  const members = Object.keys(value)
    .sort()
    .map((name) => `${name}:${goValue(value[name])}`)
  return `map[${members.join(' ')}]`
}

/** A JSON value as printed by Go's `%#v`, in source form. */
export function goSource(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)'
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSource).join(', ')}}`
  if (!isJsonObject(value)) return typeof value === 'string' ? JSON.stringify(value) : String(value)
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${goSource(value[name])}`)
  return `map[string]interface {}{${members.join(', ')}}`
}

/** Go's name for the type of a decoded JSON value. */
export function goType(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'bigint') return 'int64'
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? 'int64' : 'float64'
  return 'map[string]interface {}'
}

/** Go's JSON decoder's name for a value of the wrong type. */
export function jsonTypeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'bigint' ? 'number' : typeof value
}
