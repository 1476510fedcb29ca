import type { AuditRecord } from '../../server/contract.ts'
import { AuditFile } from './audit-file.ts'
import { auditLine } from './audit-line.ts'
import { type AuditRule, auditLevel, defaultAuditPolicy } from './policy.ts'

export interface AuditOptions {
  readonly file: string
  readonly policy?: readonly AuditRule[]
  readonly maxBytes?: number
  readonly maxFiles?: number
}

export interface Audit {
  record(record: AuditRecord): void
  /** Resolves when all that was recorded so far is in the file. */
  flush(): Promise<void>
  stop(): Promise<void>
}

/** What was asked of the platform, by whom, and what became of it, as lines of JSON in a file. */
export function createAudit(
  { policy = defaultAuditPolicy, ...options }: AuditOptions,
  onError: (error: unknown) => void,
): Audit {
  const file = new AuditFile({ ...options, onError })
  return {
    record: (record) => {
      if (auditLevel(policy, record) === 'metadata') file.add(auditLine(record))
    },
    flush: () => file.flush(),
    stop: () => file.flush(),
  }
}
