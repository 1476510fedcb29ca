import { type ApiError, outOfService } from '../../api/error.ts'
import { isDiskFull } from '../../base/disk-full.ts'
import { type HealthCheck, type RequireAudit, Unhealthy } from '../../server/contract.ts'
import type { AuditFile } from './audit-file.ts'
import { receivedLine } from './audit-line.ts'
import { changesNothing } from './caller.ts'
import { type AuditRule, auditLevel } from './policy.ts'

/** What becomes of requests while the audit log cannot be written: they are refused, or carried out and not told of. */
export type AuditOnFailure = 'refuse' | 'continue'

interface RequireOptions {
  readonly policy: readonly AuditRule[]
  readonly onFailure: AuditOnFailure
  readonly file: AuditFile
}

/**
 * Nothing is changed that the log does not tell of: a line is in the file before. What only reads is told of afterward,
 * many lines at a time, and refused once the file is known not to take them.
 */
export function requireAudit({ policy, onFailure, file }: RequireOptions): RequireAudit {
  return (request) => {
    if (onFailure === 'continue' || auditLevel(policy, request) !== 'metadata') return
    if (!changesNothing(request)) return written(file, receivedLine(request))
    if (file.failure !== undefined) throw refused(file.failure.error)
  }
}

async function written(file: AuditFile, line: string): Promise<undefined> {
  try {
    await file.write(line)
  } catch (error) {
    throw refused(error)
  }
}

function refused(error: unknown): ApiError {
  return outOfService('AuditUnavailable', `${problem(error)}, so nothing is done that it has to tell of: ${remedy}`)
}

const remedy = 'an administrator has to free space on its volume or mend it, then try again'

function problem(error: unknown): string {
  return `the audit log of this server cannot be written${isDiskFull(error) ? ' (its disk is full)' : ''}`
}

/** One that refuses requests is not ready: the log of another replica may have room. A restart would not help. */
export function auditChecks(file: AuditFile, onFailure: AuditOnFailure): readonly HealthCheck[] {
  const trouble = () => (file.failure === undefined ? undefined : problem(file.failure.error))
  const check = () => {
    const text = trouble()
    if (onFailure === 'refuse' && text !== undefined) throw new Unhealthy(text)
  }
  return [
    { name: 'audit', only: ['readyz', 'healthz'], check, trouble },
    { name: 'audit', only: ['livez'], check: () => {}, trouble },
  ]
}
