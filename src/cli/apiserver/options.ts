import type { LogFormatFlag } from '../arguments/log-format.ts'
import type { LogLevel } from '../arguments/log-level.ts'

export interface ApiServerFlags {
  readonly dataDir: string
  readonly port: number
  readonly store?: string
  readonly tokenAuthFile?: string
  readonly admissionControlConfigFile?: string
  readonly serviceClusterIpRange: string
  readonly controllers: 'all' | 'none'
  /** In seconds. */
  readonly leaderElectLeaseDuration: number
  readonly logLevel: LogLevel
  readonly logFormat: LogFormatFlag
}
