import type { DriverName } from '../arguments/driver-option.ts'
import type { HostFlags } from '../host/host-cluster.ts'
import type { SessionFlags } from '../platform/session.ts'

export interface DeleteCommandOptions extends HostFlags, SessionFlags {
  readonly name: string
  readonly namespace: string
  readonly project?: string
  readonly driver?: DriverName
  readonly keepData: boolean
  readonly yes: boolean
}
