import { isJsonObject } from './member.ts'

/** The text of a JSON value, with members sorted. An undefined member counts as absent. */
export function orderedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(orderedJson).join()}]`
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null'
  const members = Object.keys(value).sort()
  const present = members.filter((member) => value[member] !== undefined)
  return `{${present.map((member) => `${JSON.stringify(member)}:${orderedJson(value[member])}`).join()}}`
}
