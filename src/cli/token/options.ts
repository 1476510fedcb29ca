import type { SessionFlags } from '../platform/session.ts'

export interface TokenOptions extends SessionFlags {
  readonly name: string
  readonly project: string
  /** Absent: as long as the platform gives it unasked. */
  readonly ttlSeconds?: number
  /** Process that runs the plugin. */
  readonly caller: number
}
