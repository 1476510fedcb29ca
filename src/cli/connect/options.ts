import type { SessionFlags } from '../platform/session.ts'

export interface ConnectOptions extends SessionFlags {
  readonly name: string
  readonly project?: string
  readonly print: boolean
  /** The kubeconfig to write to; absent: as kubectl finds it. */
  readonly kubeconfig?: string
  /** Writes the key of the login into the kubeconfig, instead of what gets a short-lived one for it. */
  readonly staticKey: boolean
  /** How long each short-lived key is good; absent: as long as the platform gives it. */
  readonly keyTtlSeconds?: number
  /** What to run with a kubeconfig of its own; empty: nothing. */
  readonly command: readonly string[]
}
