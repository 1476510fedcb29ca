import { validateQualifiedName } from '../api/names.ts'
import { isJsonObject } from '../base/json/member.ts'

const mostAnnotations = 50
/** Characters of one value: longer ones are cut. */
const longestValue = 2_048
/** As JSON, all together: they are told in one header, and in one line of an audit log. */
const mostBytes = 4_096

export type AnnotationRecord = Readonly<Record<string, string>>

/**
 * What admission puts on record about one request. Webhooks and policies of users write it, and so it is limited; what does
 * not fit is left out.
 */
export class AuditAnnotations {
  readonly #values = new Map<string, string>()
  #left = mostBytes

  get all(): AnnotationRecord {
    return Object.fromEntries(this.#values)
  }

  /** A key that is taken keeps its value, and one that is no qualified name with a prefix is left out. */
  add(key: string, value: string): void {
    if (this.#values.has(key) || this.#values.size >= mostAnnotations || !isKey(key)) return
    const kept = value.slice(0, longestValue)
    const bytes = Buffer.byteLength(JSON.stringify({ [key]: kept }))
    if (bytes > this.#left) return
    this.#left -= bytes
    this.#values.set(key, kept)
  }
}

/** The longest prefix and name there are. */
const longestKey = 253 + 1 + 63

function isKey(key: string): boolean {
  return key.length <= longestKey && key.includes('/') && validateQualifiedName(key).length === 0
}

/** For a header of an answer, to a server that keeps the record. */
export function printAnnotations({ all }: AuditAnnotations): string {
  return Buffer.from(JSON.stringify(all)).toString('base64url')
}

/** Those in such a header, which may hold anything. */
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
