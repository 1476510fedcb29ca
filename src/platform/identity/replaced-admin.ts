import type { AuditRecord } from '../../server/contract.ts'
import { type AdminRecord, adminRecordKey } from './admin-record.ts'

/** For the audit log: a process with write access to the store replaced the administrator's key there. */
export function replacedAdminRecord({ madeBy }: AdminRecord, auditId: string, nowMs: number): AuditRecord {
  return {
    auditId,
    verb: 'update',
    requestUri: adminRecordKey,
    path: adminRecordKey,
    user: { name: 'system:store', groups: [] },
    sourceAddress: '',
    userAgent: 'tenant platform admin reset',
    receivedAtMs: nowMs,
    finishedAtMs: nowMs,
    decision: `the administrator's key was replaced by ${madeBy}`,
    isAuthorized: true,
    code: 200,
  }
}
