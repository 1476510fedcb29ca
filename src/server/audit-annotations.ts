import { validateQualifiedName } from '../api/names.ts'
import { isJsonObject } from '../base/json/member.ts'

const mostAnnotations = 50
/** Limit in characters; longer values are cut. */
const longestValue = 2_048
/** Limit for all annotations together, as JSON: they are sent in one header and logged in one line. */
const mostBytes = 4_096

export type AnnotationRecord = Readonly<Record<string, string>>

/**
 * Audit annotations from the admission of one request. Users' webhooks and policies write them, so they are limited;
 * whatever exceeds the limits is left out.
 */
export class AuditAnnotations {
  readonly #values = new Map<string, string>()
  #left = mostBytes

  get all(): AnnotationRecord {
    return Object.fromEntries(this.#values)
  }

  /** A key that is already set keeps its value. A key that is not a qualified name with a prefix is ignored. */
  add(key: string, value: string): void {
    if (this.#values.has(key) || this.#values.size >= mostAnnotations || !isKey(key)) return
    const kept = value.slice(0, longestValue)
    const bytes = Buffer.byteLength(JSON.stringify({ [key]: kept }))
    if (bytes > this.#left) return
    this.#left -= bytes
    this.#values.set(key, kept)
  }
}

/** The longest possible prefix and name. */
const longestKey = 253 + 1 + 63

function isKey(key: string): boolean {
  return key.length <= longestKey && key.includes('/') && validateQualifiedName(key).length === 0
}

/** For a response header to a server that keeps the audit log. */
export function printAnnotations({ all }: AuditAnnotations): string {
  return Buffer.from(JSON.stringify(all)).toString('base64url')
}

/** Reads such a header, which may contain anything. */
export function readAnnotations(text: string): readonly (readonly [key: string, value: string])[] {
  if (text.length > 2 * mostBytes) return []
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (!isJsonObject(value)) return []
    return Object.entries(value).flatMap(([key, each]) => (typeof each === 'string' ? [[key, each]] : []))
  } catch {
    return []
  }
}
