import type { HostFlags } from '../host/host-cluster.ts'

export interface DoctorOptions extends HostFlags {
  readonly name: string
  readonly namespace: string
  readonly file?: string
  /** Access to the virtual cluster, to compare its Pods. */
  readonly virtualKubeconfig?: string
  readonly output: 'text' | 'json'
}
