import { hash } from 'node:crypto'
import { isJsonObject } from '../../base/json/member.ts'

const length = 11

/** 66 bits of SHA-256: enough to tell a value from another one, and short enough to stand in an annotation. */
export function shortHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, length)
}

/** Of a JSON value. The order of members does not matter; an undefined one is absent. */
export function valueHash(value: unknown): string {
  return shortHash(orderedJson(value))
}

function orderedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(orderedJson).join()}]`
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null'
  const members = Object.keys(value).sort()
  const present = members.filter((member) => value[member] !== undefined)
  return `{${present.map((member) => `${JSON.stringify(member)}:${orderedJson(value[member])}`).join()}}`
}
