import type { LoadedConfig } from '../config/load-config.ts'
import type { Progress } from '../output/progress.ts'
import type { Session } from '../platform/session.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { CreateCommandOptions } from './options.ts'

/** What is to be created. */
export interface TenantOrder extends LoadedConfig {
  readonly options: CreateCommandOptions
  /** Absent: the user is not logged in, or the virtual cluster is not to be linked. */
  readonly platform?: { readonly session: Session; readonly project: string }
}

export interface DriverTools {
  readonly terminal: Terminal
  readonly progress: Progress
  /** Aborts when the user interrupts the command. */
  readonly signal: AbortSignal
}

/** Where virtual clusters run. */
export interface TenantDriver {
  create(order: TenantOrder, tools: DriverTools): Promise<void>
}
