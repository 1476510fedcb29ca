import { asObjects, asText, asTexts } from '../base/json/lenient.ts'
import { isJsonObject } from '../base/json/member.ts'

/**
 * Readers for objects that were checked against a schema, whose members TypeScript knows as `unknown`. A member that is
 * inherited, missing, null or of another type counts as absent.
 */
export type UnknownMembers = Readonly<Record<string, unknown>>

export function textAt(object: object | undefined, member: string): string {
  return asText(valueAt(object, member))
}

export function numberAt(object: object | undefined, member: string): number | undefined {
  const value = valueAt(object, member)
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function textsAt(object: object | undefined, member: string): readonly string[] {
  return asTexts(valueAt(object, member))
}

export function objectAt(object: object | undefined, member: string): UnknownMembers | undefined {
  const value = valueAt(object, member)
  return isJsonObject(value) ? value : undefined
}

export function objectsAt(object: object | undefined, member: string): readonly UnknownMembers[] {
  return asObjects(valueAt(object, member))
}

/** A map of texts, such as labels. */
export function textMapAt(object: object | undefined, member: string): Readonly<Record<string, string>> {
  const entries = Object.entries(objectAt(object, member) ?? {})
  return Object.fromEntries(entries.flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])))
}

function valueAt(object: object | undefined, member: string): unknown {
  return object !== undefined && Object.hasOwn(object, member) ? Reflect.get(object, member) : undefined
}
