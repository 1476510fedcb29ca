import { goType as goTypeOfValue } from '../human/go-print.ts'
import type { Schema } from '../schema.ts'
import { goDecoderType, goPlainType } from './go-words.ts'

/**
 * How Go's conversion from untyped values, which the result of a strategic patch passes through, names a value of the
 * wrong type. Undefined for types that parse their own JSON and report errors in its words.
 */
export function conversionProblem(value: unknown, schema: Schema): string | undefined {
  switch (schema.type) {
    case 'object':
      return schema.additionalProperties === undefined
        ? `cannot restore struct from: ${goKind(value)}`
        : `cannot restore map from ${goKind(value)}`
    case 'array':
      return `cannot restore slice from ${goKind(value)}`
    case 'string':
      return textProblem(value, schema)
    default:
      return typeof value === 'number' && schema.type !== 'boolean'
        ? cannotConvert(value, schema)
        : unrecognized(schema)
  }
}

function textProblem(value: unknown, schema: Schema): string | undefined {
  if (schema.format === 'byte')
    return typeof value === 'string' ? undefined : `cannot restore slice from ${goKind(value)}`
  if (schema.format !== undefined) return undefined
  return goTypeOfValue(value) === 'int64' ? cannotConvert(value, schema) : unrecognized(schema)
}

function cannotConvert(value: unknown, schema: Schema): string {
  return `cannot convert ${goTypeOfValue(value)} to ${goDecoderType(schema)}`
}

function unrecognized(schema: Schema): string {
  return `unrecognized type: ${goPlainType(schema)}`
}

function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'slice'
  return typeof value === 'object' && value !== null ? 'map' : goTypeOfValue(value)
}
