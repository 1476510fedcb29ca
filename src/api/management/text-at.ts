import { asText } from '../../base/json/lenient.ts'
import type { KubeObject } from '../object.ts'

/** Reads one text by its dotted path; a missing value, or one that is not text, counts as empty. */
export function textAtPath(path: string): (object: KubeObject) => string {
  const members = path.split('.')
  return (object) => {
    let value: unknown = object
    for (const member of members) value = isRecord(value) && Object.hasOwn(value, member) ? value[member] : undefined
    return asText(value)
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
