import type { HostFlags } from '../../host/host-cluster.ts'
import type { InstallChoices } from './settings.ts'

export interface InstallOptions extends HostFlags {
  readonly namespace: string
  /** What was chosen on the command line. */
  readonly choices: InstallChoices
  readonly mode: 'install' | 'upgrade'
  readonly newAdminKey: boolean
  readonly dryRun: boolean
  readonly output: 'yaml' | 'json'
  readonly wait: boolean
  readonly timeoutSeconds: number
}

export interface PrepareOptions extends HostFlags {
  readonly namespace: string
  readonly choices: InstallChoices
}

export interface UninstallOptions extends HostFlags {
  readonly namespace: string
  readonly deleteData: boolean
  readonly yes: boolean
}
