import { asJson } from '../../../base/json/lenient.ts'
import { isJsonObject } from '../../../base/json/member.ts'

/** A line of the audit log, parsed. */
export interface AuditEntry {
  readonly time: string
  readonly auditId: string
  readonly user: string
  readonly keyId?: string
  readonly key?: string
  /** For a session: the key that it was started with. */
  readonly startedWith?: string
  readonly verb: string
  readonly target: string
  readonly path: string
  readonly object?: Readonly<Record<string, unknown>>
  readonly code: number
  readonly decision: string
  readonly layer: string
  readonly reason?: string
  /** Annotations that admission added. */
  readonly annotations?: Readonly<Record<string, string>>
  readonly source: string
  readonly userAgent: string
}

/** Undefined for any other line, such as one that was cut off when the machine lost power. */
export function readEntry(line: Buffer): AuditEntry | undefined {
  const value = asJson(line.toString())
  return isEntry(value) ? value : undefined
}

function isEntry(value: unknown): value is AuditEntry {
  return (
    isJsonObject(value) &&
    typeof value.time === 'string' &&
    typeof value.auditId === 'string' &&
    typeof value.user === 'string' &&
    typeof value.code === 'number'
  )
}
