import { isJsonObject } from './member.ts'

/** Readers for values that were not validated against a schema. A value of another type counts as absent. */

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function asTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

export function asMembers(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? value : {}
}

export function asObjects(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** Undefined if the text is not JSON. */
export function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
