import type { SessionFlags } from '../platform/session.ts'

export interface ConnectOptions extends SessionFlags {
  readonly name: string
  readonly project?: string
  readonly print: boolean
  /** The kubeconfig to write to; absent: as kubectl finds it. */
  readonly kubeconfig?: string
  /** Writes the key of the login into the kubeconfig, instead of a plugin that gets short-lived ones. */
  readonly staticKey: boolean
  /** How long each short-lived key is valid; absent: as long as the platform allows. */
  readonly keyTtlSeconds?: number
  /** A command to run with a temporary kubeconfig; empty: none. */
  readonly command: readonly string[]
}
