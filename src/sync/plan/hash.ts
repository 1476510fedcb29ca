import { hash } from 'node:crypto'
import { orderedJson } from '../../base/json/ordered-json.ts'

const length = 11

/** 66 bits of SHA-256: enough to tell a value from another one, and short enough to stand in an annotation. */
export function shortHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, length)
}

/** Of a JSON value. The order of members does not matter; an undefined one is absent. */
export function valueHash(value: unknown): string {
  return shortHash(orderedJson(value))
}
