import { homedir } from 'node:os'
import { join } from 'node:path'

export interface RunFlags {
  readonly name: string
  readonly namespace: string
  readonly file?: string
  readonly hostKubeconfig?: string
  readonly virtualKubeconfig?: string
  readonly dataDir?: string
  readonly port: number
  readonly host: string
  readonly statusPort?: number
  readonly license?: string
  readonly licenseIssuer?: string
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error'
}

export function dataDirectory({ dataDir, name }: RunFlags): string {
  return dataDir ?? join(homedir(), '.tenant', 'tenants', name)
}
