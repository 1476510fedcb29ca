import type { SessionFlags } from '../platform/session.ts'

export interface TokenOptions extends SessionFlags {
  readonly name: string
  readonly project: string
  /** Absent: the platform's default. */
  readonly ttlSeconds?: number
  /** The process that runs the plugin. */
  readonly caller: number
}
