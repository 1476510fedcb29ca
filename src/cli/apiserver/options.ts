import type { LogLevel } from '../arguments/log-level.ts'

export interface ApiServerFlags {
  readonly dataDir: string
  readonly port: number
  readonly tokenAuthFile?: string
  readonly serviceClusterIpRange: string
  readonly controllers: 'all' | 'none'
  readonly logLevel: LogLevel
}
