import type { SimulatedTimes } from '../../controllers/simulated-node/settings.ts'
import type { QuotaSettings } from '../../platform/quotas/quota-settings.ts'
import type { Amount } from '../../registry/quota/ledger.ts'
import type { AuditOnFailure } from '../arguments/audit-on-failure.ts'
import type { LogLevel } from '../arguments/log-level.ts'

export interface UpCommandOptions {
  /** Absolute. */
  readonly directory: string
  readonly port: number
  /** Of the platform. The embedded host is reached from this machine alone. */
  readonly host: string
  readonly withDemo: boolean
  /** `file:DIR` or `etcd:URL`. */
  readonly store: string
  readonly domain: string
  readonly auditOnFailure: AuditOnFailure
  readonly quotas: Partial<QuotaSettings>
  readonly sessionsPerOwner?: number
  /** Of Pods on the embedded host. Absent: the usual ones. */
  readonly simulatedTimes?: SimulatedTimes
  readonly capacity: Amount
  readonly logLevel: LogLevel
}
