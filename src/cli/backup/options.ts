import type { HostFlags } from '../host/host-cluster.ts'
import type { OutputFormat } from '../output/format.ts'
import type { SessionFlags } from '../platform/session.ts'

/** Selects the cluster: the platform, one of its virtual clusters, or that of a kubeconfig. */
export interface TargetFlags extends SessionFlags, HostFlags {
  readonly project?: string
  readonly virtualCluster?: string
}

export interface CreateBackupOptions extends TargetFlags {
  readonly to: string
  readonly key: string
  readonly keep?: number
  readonly keepDays?: number
}

export interface CreateBackupFlags extends CreateBackupOptions {
  readonly output: OutputFormat
}

export interface ListBackupsOptions {
  readonly from: string
  readonly output: OutputFormat
}

export interface VerifyBackupOptions {
  readonly name: string
  readonly from: string
  readonly key: string
  readonly output: OutputFormat
}

export interface RestoreBackupOptions extends TargetFlags {
  readonly name: string
  readonly from: string
  readonly key: string
  /** Restores everything into an empty store. */
  readonly store?: string
  readonly revocations?: string
  /** Restores one namespace into a running cluster. */
  readonly namespace?: string
  /** `configmaps/app`: restores one object; with `namespace`, from that namespace. */
  readonly object?: string
  readonly anotherCluster?: boolean
}

export interface ScheduleBackupsOptions extends CreateBackupOptions {
  readonly schedule: string
  readonly timeZone?: string
  readonly metricsPort?: number
  readonly metricsHost: string
}
