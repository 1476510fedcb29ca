import type { Output, Upgrade } from '../http.ts'

/** Where one answer goes, whatever protocol carries it. Exactly one of these is called, once. It may add headers. */
export interface Channel {
  /** Sends a whole answer. Without a body, only the head: the length may still be announced. */
  send(status: number, headers: string[], body: Buffer | undefined): void
  /** Sends the head at once; the body follows bit by bit. */
  open(status: number, headers: string[]): Output
  /** Sends the head, then starts the upgrade, or gives it up if the connection is gone. Absent where there is none to give. */
  upgrade?(status: number, headers: string[], body: Upgrade): void
}
