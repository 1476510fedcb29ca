import type { Output, Upgrade } from '../http.ts'

/** Receives one answer, independent of the protocol. Exactly one method is called, once. It may add headers. */
export interface Channel {
  /** Sends a complete answer. Without a body, only the head, which may still state a length. */
  send(status: number, headers: string[], body: Buffer | undefined): void
  /** Sends the head at once; the body follows in parts. */
  open(status: number, headers: string[]): Output
  /**
   * Sends the head, then starts the upgrade, or gives it up if the connection has closed. Absent if upgrades are not
   * possible.
   */
  upgrade?(status: number, headers: string[], body: Upgrade): void
}
