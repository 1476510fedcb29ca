import type { SessionFlags } from '../platform/session.ts'

export interface ConnectOptions extends SessionFlags {
  readonly name: string
  readonly project?: string
  readonly print: boolean
  /** The kubeconfig to write to; absent: as kubectl finds it. */
  readonly kubeconfig?: string
  /** What to run with a kubeconfig of its own; empty: nothing. */
  readonly command: readonly string[]
}
