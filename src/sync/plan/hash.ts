import { hash } from 'node:crypto'
import { orderedJson } from '../../base/json/ordered-json.ts'

const length = 11

/** 66 bits of SHA-256: enough to distinguish values, and short enough for an annotation. */
export function shortHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, length)
}

/** The hash of a JSON value. The order of members does not matter; an undefined member is absent. */
export function valueHash(value: unknown): string {
  return shortHash(orderedJson(value))
}
