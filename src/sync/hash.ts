import { createHash } from 'node:crypto'

const length = 11

/** 66 bits of SHA-256: enough to tell a value from another one, and short enough to stand in an annotation. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, length)
}

/** Of a JSON value. The order of members does not matter; an undefined one is absent. */
export function valueHash(value: unknown): string {
  return shortHash(JSON.stringify(value, inOrder) ?? '')
}

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
}
