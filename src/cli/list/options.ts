import type { OutputFormat } from '../output/format.ts'
import type { SessionFlags } from '../platform/session.ts'

export interface ListCommandOptions extends SessionFlags {
  readonly project?: string
  readonly allProjects?: boolean
  readonly output: OutputFormat
}
