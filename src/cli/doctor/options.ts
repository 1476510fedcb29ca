import type { HostFlags } from '../host/host-cluster.ts'

export interface DoctorOptions extends HostFlags {
  readonly name: string
  readonly namespace: string
  readonly file?: string
  readonly output: 'text' | 'json'
}
