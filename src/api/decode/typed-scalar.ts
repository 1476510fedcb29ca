import { parseQuantity, printQuantity } from '../quantity.ts'
import type { Schema } from '../schema.ts'
import { canonicalBase64 } from './base64.ts'
import { goDecoderType, goDecoderValue } from './go-words.ts'
import { parseMicroTime, parseTime } from './time.ts'

/**
 * A scalar as Go would read and write it again. `found` names a value of the wrong type, as in `cannot unmarshal
 * <found> into`; `refused` is a whole sentence.
 */
export type Scalar =
  | { readonly value: unknown }
  | { readonly found: string; readonly wanted?: string }
  | { readonly refused: string }

const int32 = { min: -(2 ** 31), max: 2 ** 31 - 1 }

/** Whether the value can stay unchanged, which is nearly always so: this avoids building a result. */
export function isPlainScalar(schema: Schema, value: unknown): boolean {
  switch (schema.type) {
    case 'string':
      return schema.format === undefined && typeof value === 'string'
    case 'boolean':
      return typeof value === 'boolean'
    case 'integer':
      return Number.isInteger(value) && isInRange(schema, Number(value))
    case 'number':
      return typeof value === 'number'
    default:
      return schema.type === 'any' && schema.format === undefined
  }
}

export function readScalar(schema: Schema, value: unknown): Scalar {
  if (isPlainScalar(schema, value)) return { value }
  if (schema.type === 'integer' && typeof value === 'number') return { found: `number ${value}` }
  if (schema.type !== 'string') return { found: goDecoderValue(value) }
  return readFormatted(schema, value)
}

function readFormatted(schema: Schema, value: unknown): Scalar {
  if (schema.format === 'int-or-string' && typeof value !== 'string') return readInt(value)
  // Quantities are read from the text of the value, whatever its type.
  if (schema.format === 'quantity') return readQuantity(typeof value === 'string' ? value : JSON.stringify(value))
  if (typeof value !== 'string') return { found: goDecoderValue(value), wanted: goDecoderType(schema) }
  switch (schema.format) {
    case 'byte':
      return readBytes(value)
    case 'date-time':
      return orRefused(parseTime(value))
    case 'micro-time':
      return orRefused(parseMicroTime(value))
    default:
      return { value }
  }
}

function readInt(value: unknown): Scalar {
  if (typeof value !== 'number') return { found: goDecoderValue(value), wanted: 'int32' }
  const fits = Number.isInteger(value) && value >= int32.min && value <= int32.max
  return fits ? { value } : { found: `number ${value}`, wanted: 'int32' }
}

function readBytes(text: string): Scalar {
  const bytes = canonicalBase64(text)
  return bytes.valid ? { value: bytes.text } : { refused: `illegal base64 data at input byte ${bytes.at}` }
}

const longestQuantity = 200

function readQuantity(text: string): Scalar {
  const quantity = parseQuantity(text.length > longestQuantity ? '' : text.trim())
  return 'problem' in quantity ? { refused: quantity.problem } : { value: printQuantity(quantity) }
}

function orRefused(parsed: { valid: true; text: string } | { valid: false; reason: string }): Scalar {
  return parsed.valid ? { value: parsed.text } : { refused: parsed.reason }
}

function isInRange(schema: Schema, value: number): boolean {
  return schema.format === 'int32' ? value >= int32.min && value <= int32.max : value >= -(2 ** 63) && value < 2 ** 63
}
