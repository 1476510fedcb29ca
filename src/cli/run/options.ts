import type { TraceParents } from '../../server/tracing/trace-exchange.ts'
import type { LogFormatFlag } from '../arguments/log-format.ts'
import type { LogLevel } from '../arguments/log-level.ts'
import type { ShutdownDelayFlags } from '../shutdown-delay.ts'

export interface RunOptions extends ShutdownDelayFlags {
  readonly name: string
  readonly namespace: string
  readonly file?: string
  readonly hostKubeconfig?: string
  readonly virtualKubeconfig?: string
  readonly dataDir?: string
  /** `file:DIR` or `etcd:URL`. */
  readonly store?: string
  readonly controllersKubeconfig?: string
  readonly port: number
  readonly host: string
  readonly statusPort?: number
  readonly dnsPort?: number
  readonly dnsHost: string
  readonly license?: string
  readonly licenseIssuer?: string
  readonly logLevel: LogLevel
  readonly logFormat: LogFormatFlag
  readonly traceParents: TraceParents
}
