import type { LogLevel } from '../arguments/log-level.ts'

export interface RunOptions {
  readonly name: string
  readonly namespace: string
  readonly file?: string
  readonly hostKubeconfig?: string
  readonly virtualKubeconfig?: string
  readonly dataDir?: string
  readonly port: number
  readonly host: string
  readonly statusPort?: number
  readonly dnsPort?: number
  readonly dnsHost: string
  readonly license?: string
  readonly licenseIssuer?: string
  readonly logLevel: LogLevel
}
