import type { HostFlags } from '../host/host-cluster.ts'

export interface LogsOptions extends HostFlags {
  readonly name: string
  readonly namespace: string
  readonly follow: boolean
  readonly previous: boolean
  readonly tail?: number
}
