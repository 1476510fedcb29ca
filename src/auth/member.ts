import { isJsonObject } from '../base/json/member.ts'

/**
 * Readers for objects that a schema has been held against, whose members TypeScript knows as `unknown`.
 * A member that is inherited, missing, null or of another type counts as absent.
 */
export type UnknownMembers = Readonly<Record<string, unknown>>

export function textAt(object: object | undefined, member: string): string {
  const value = valueAt(object, member)
  return typeof value === 'string' ? value : ''
}

export function numberAt(object: object | undefined, member: string): number | undefined {
  const value = valueAt(object, member)
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function textsAt(object: object | undefined, member: string): readonly string[] {
  const value = valueAt(object, member)
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

export function objectAt(object: object | undefined, member: string): UnknownMembers | undefined {
  const value = valueAt(object, member)
  return isJsonObject(value) ? value : undefined
}

export function objectsAt(object: object | undefined, member: string): readonly UnknownMembers[] {
  const value = valueAt(object, member)
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** A map of texts, such as labels. */
export function textMapAt(object: object | undefined, member: string): Readonly<Record<string, string>> {
  const entries = Object.entries(objectAt(object, member) ?? {})
  return Object.fromEntries(entries.flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])))
}

function valueAt(object: object | undefined, member: string): unknown {
  return object !== undefined && Object.hasOwn(object, member) ? Reflect.get(object, member) : undefined
}
