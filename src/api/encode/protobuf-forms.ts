import { printJson } from '../../base/json/print.ts'
import type { JsonForm } from '../facts/message.ts'

/** The fields of a message by name. */
export type FormFields = Readonly<Record<string, unknown>>

/** The fields of a message that is not an object in JSON, from its JSON form. */
export function formFields(form: JsonForm, value: unknown): FormFields {
  switch (form) {
    case 'time':
      return typeof value === 'string' ? { seconds: secondsOf(value), nanos: 0 } : {}
    case 'micro-time':
      return typeof value === 'string' ? { seconds: secondsOf(value), nanos: nanosOf(value) } : {}
    case 'quantity':
      return { string: String(value ?? '0') }
    case 'int-or-string':
      return typeof value === 'string' ? { type: 1, intVal: 0, strVal: value } : { type: 0, intVal: value, strVal: '' }
    case 'bare-list':
      return { items: value }
    case 'raw-json':
      return rawJson(value)
    case 'schema-or-list':
      return Array.isArray(value) ? { jSONSchemas: value } : { schema: value }
    case 'schema-or-boolean':
      return typeof value === 'boolean' ? { allows: value } : { allows: true, schema: value }
    case 'schema-or-strings':
      return Array.isArray(value) ? { property: value } : { schema: value }
  }
}

function secondsOf(moment: string): number {
  return Math.floor(Date.parse(moment) / 1000)
}

/** A JavaScript date only keeps milliseconds. */
function nanosOf(moment: string): number {
  return Number(/\.(\d{6})/.exec(moment)?.[1] ?? 0) * 1000
}

const encoder = new TextEncoder()

/** The field has one name or the other. */
function rawJson(value: unknown): FormFields {
  const raw = encoder.encode(printJson(value))
  return { raw, Raw: raw }
}
