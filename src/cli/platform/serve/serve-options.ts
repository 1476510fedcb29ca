import type { TlsFlags } from '../../../cluster/certificates/server-tls.ts'
import type { TraceParents } from '../../../server/tracing/trace-exchange.ts'
import type { LicenseIssuerFlags } from '../../arguments/license-issuer-option.ts'
import type { LogFormatFlag } from '../../arguments/log-format.ts'
import type { ProxyFlags } from '../../arguments/proxy-options.ts'
import type { QuotaFlags } from '../../arguments/quota-options.ts'
import type { ShutdownDelayFlags } from '../../shutdown-delay.ts'
import type { AuditFlags } from './audit-flags.ts'

export interface ServeOptions
  extends TlsFlags,
    AuditFlags,
    LicenseIssuerFlags,
    ProxyFlags,
    QuotaFlags,
    ShutdownDelayFlags {
  /** `file:DIR` or `etcd:URL`. */
  readonly store: string
  /** A file. */
  readonly encryptionKeys?: string
  readonly domain: string
  readonly dataDir: string
  readonly port: number
  readonly host: string
  /** Seconds; 0: no cap. */
  readonly maxKeyLifetime: number
  /** Seconds. */
  readonly expiredKeyRetention?: number
  /** Seconds. */
  readonly keyUsageInterval?: number
  /** Seconds. */
  readonly confirmKeysWithin?: number
  /** Seconds. */
  readonly heartbeatInterval?: number
  /** Seconds. */
  readonly sessionIdleTimeout?: number
  /** Seconds. */
  readonly sessionLifetime?: number
  /** Seconds. */
  readonly identityRefresh?: number
  readonly advertiseUrl?: string
  /** Names under which clients reach the server, besides the address where it listens. */
  readonly tlsName?: readonly string[]
  /** A file. */
  readonly adminKeyRecord?: string
  readonly oidcIssuer?: string
  readonly logFormat: LogFormatFlag
  readonly traceParents: TraceParents
  readonly license?: string
  readonly maxRequestsInFlight?: number
  readonly maxStreamsPerCaller?: number
}
