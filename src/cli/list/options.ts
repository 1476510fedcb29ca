import type { OutputFormat } from '../output/format.ts'
import type { SessionFlags } from '../platform/session.ts'

export interface ListOptions extends SessionFlags {
  readonly project?: string
  readonly allProjects?: boolean
  readonly output: OutputFormat
}
