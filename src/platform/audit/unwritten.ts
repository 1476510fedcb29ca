import { type ApiError, outOfService } from '../../api/error.ts'
import { isDiskFull } from '../../base/files/disk-full.ts'
import { type HealthCheck, type RequireAudit, Unhealthy } from '../../server/contract.ts'
import type { AuditFile } from './audit-file.ts'
import { receivedLine } from './audit-line.ts'
import { changesNothing } from './caller.ts'
import { type AuditRule, auditLevel } from './policy.ts'

/**
 * What happens to requests while the audit log cannot be written: they are refused, or carried out without a record.
 */
export type AuditOnFailure = 'refuse' | 'continue'

interface RequireOptions {
  readonly policy: readonly AuditRule[]
  readonly onFailure: AuditOnFailure
  readonly file: AuditFile
}

/**
 * A change is carried out only after its line is in the file. Reads are recorded later, many lines at a time, and
 * refused once the file is known to be unwritable.
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
  return outOfService('AuditUnavailable', `${problem(error)}, so requests that must be audited are refused: ${remedy}`)
}

const remedy = 'an administrator must free space on its volume or repair it; then try again'

function problem(error: unknown): string {
  return `the audit log of this server cannot be written${isDiskFull(error) ? ' (its disk is full)' : ''}`
}

/**
 * A replica that refuses requests is not ready: another replica may still be able to write its log. It stays live,
 * because a restart would not help.
 */
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
