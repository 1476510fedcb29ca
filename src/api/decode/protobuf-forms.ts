import type { ValueCount } from '../../base/json/limits.ts'
import { parseJson } from '../../base/json/parse.ts'
import { outlineJson } from '../../base/json/scan.ts'
import { decodeUtf8 } from '../../base/json/utf8.ts'
import type { JsonForm } from '../facts/message.ts'
import { ProtobufError } from './protobuf-error.ts'

/** The fields of a message by name, undecoded, with bytes as bytes. */
export type RawFields = ReadonlyMap<string, unknown>

const firstSecond = Date.parse('0000-01-01T00:00:00Z') / 1000
const lastSecond = Date.parse('9999-12-31T23:59:59Z') / 1000

/**
 * The JSON form of a message that is not an object in JSON; undefined if it is empty. JSON values inside it are
 * counted.
 */
export function formToJson(form: JsonForm, fields: RawFields, count: ValueCount): unknown {
  switch (form) {
    case 'time':
      return fields.size === 0 ? undefined : `${secondsText(fields)}Z`
    case 'micro-time':
      return fields.size === 0 ? undefined : `${secondsText(fields)}.${microsText(fields)}Z`
    case 'quantity':
      return fields.get('string') || '0'
    case 'int-or-string':
      return fields.get('type') === 1 ? (fields.get('strVal') ?? '') : (fields.get('intVal') ?? 0)
    case 'bare-list':
      return fields.get('items') ?? []
    case 'raw-json':
      return rawJson(fields.get('raw') ?? fields.get('Raw'), count)
    case 'schema-or-list':
      return fields.get('schema') ?? fields.get('jSONSchemas')
    case 'schema-or-boolean':
      return fields.get('schema') ?? fields.get('allows')
    case 'schema-or-strings':
      return fields.get('schema') ?? fields.get('property')
  }
}

function secondsText(fields: RawFields): string {
  const seconds = Number(fields.get('seconds') ?? 0)
  if (seconds < firstSecond || seconds > lastSecond) throw new ProtobufError(`the time ${seconds} is out of range`)
  return new Date(seconds * 1000).toISOString().slice(0, 19)
}

function microsText(fields: RawFields): string {
  const nanos = Number(fields.get('nanos') ?? 0)
  if (nanos < 0 || nanos >= 1e9) throw new ProtobufError(`the nanoseconds ${nanos} are out of range`)
  return String(Math.floor(nanos / 1000)).padStart(6, '0')
}

function rawJson(raw: unknown, count: ValueCount): unknown {
  if (!(raw instanceof Uint8Array) || raw.length === 0) return undefined
  const text = decodeUtf8(raw)
  count.add(outlineJson(text).values)
  return parseJson(text).value
}
