import type { DriverName } from '../arguments/driver-option.ts'
import type { HostFlags } from '../host/host-cluster.ts'
import type { SessionFlags } from '../platform/session.ts'

export interface CreateCommandOptions extends HostFlags, SessionFlags {
  readonly name: string
  readonly namespace: string
  /** Absent: a tenant with defaults. */
  readonly file?: string
  readonly upgrade: boolean
  readonly project?: string
  /** Absent: local if `tenant up` is the current platform. */
  readonly driver?: DriverName
  /** Absent: its current image, or that of this version. */
  readonly image?: string
  readonly licenseIssuer?: string
  /** Whether the virtual cluster is linked to the platform. */
  readonly link: boolean
  readonly dryRun: boolean
  readonly output: 'yaml' | 'json'
  readonly wait: boolean
  readonly timeoutSeconds: number
}
