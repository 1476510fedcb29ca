import type { SimulatedTimes } from '../../controllers/simulated-node/settings.ts'
import type { QuotaSettings } from '../../platform/quotas/quota-settings.ts'
import type { Amount } from '../../registry/quota/ledger.ts'
import type { ProxySettings } from '../../server/proxies/trusted-proxies.ts'
import type { TraceParents } from '../../server/tracing/trace-exchange.ts'
import type { AuditOnFailure } from '../arguments/audit-on-failure.ts'
import type { LogFormatFlag } from '../arguments/log-format.ts'
import type { LogLevel } from '../arguments/log-level.ts'

export interface UpCommandOptions {
  /** An absolute path. */
  readonly directory: string
  readonly port: number
  /** The address of the platform. The embedded host is reachable only from this machine. */
  readonly host: string
  /** A kubeconfig context whose cluster is the host. Absent: an embedded one. */
  readonly hostContext?: string
  readonly withDemo: boolean
  /** `file:DIR` or `etcd:URL`. */
  readonly store: string
  readonly domain: string
  readonly auditOnFailure: AuditOnFailure
  readonly quotas: Partial<QuotaSettings>
  readonly sessionsPerOwner?: number
  /** The platform's issuer as an identity provider of applications. Absent: it is not one. */
  readonly oidcIssuer?: string
  /** Proxies in front of the platform. Absent: none is trusted. */
  readonly proxies?: ProxySettings
  /** For Pods on the embedded host. Absent: the defaults. */
  readonly simulatedTimes?: SimulatedTimes
  readonly capacity: Amount
  readonly logLevel: LogLevel
  readonly logFormat: LogFormatFlag
  readonly traceParents: TraceParents
}
