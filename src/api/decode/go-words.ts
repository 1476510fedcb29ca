import type { Schema } from '../schema.ts'

/** Go's JSON decoder's name for the value that it found. */
export function goDecoderValue(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (value === null) return 'null'
  if (typeof value === 'bigint') return 'number'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

/** `ServicePort` of `io.k8s.api.core.v1.ServicePort`. */
export function goStruct(schema: Schema | undefined): string {
  const name = schema?.name ?? ''
  return name.slice(name.lastIndexOf('.') + 1)
}

/** Go's JSON decoder's name for the expected type: `[]v1.ServicePort`, `map[string]string`, `int32`. */
export function goDecoderType(schema: Schema): string {
  return schema.goType ?? goPlainType(schema)
}

/** The same without Go's names for some types: `string`, not `v1.ServiceType`. */
export function goPlainType(schema: Schema): string {
  switch (schema.type) {
    case 'array':
      return `[]${schema.items === undefined ? 'interface {}' : goDecoderType(schema.items)}`
    case 'object':
      return goObject(schema)
    case 'integer':
      return schema.format ?? 'int64'
    case 'number':
      return 'float64'
    case 'boolean':
      return 'bool'
    case 'string':
      return schema.format === 'byte' ? '[]uint8' : 'string'
    case 'any':
      return goNamed(schema) ?? 'interface {}'
  }
}

function goNamed({ name }: Schema): string | undefined {
  return name?.split('.').slice(-2).join('.')
}

function goObject(schema: Schema): string {
  const named = goNamed(schema)
  if (named !== undefined) return named
  const values = schema.additionalProperties
  return `map[string]${values === undefined ? 'interface {}' : goDecoderType(values)}`
}
