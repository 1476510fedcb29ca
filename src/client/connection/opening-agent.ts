import { Agent } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

export interface OpeningAgentOptions {
  readonly maxFreeSockets?: number
  /** How long an idle connection is kept, in milliseconds. */
  readonly timeout?: number
}

/** Gets connections from a function that opens and verifies them, and keeps idle ones. */
export class OpeningAgent extends Agent {
  readonly #open: () => Promise<Socket>
  #isDestroyed = false

  constructor(open: () => Promise<Socket>, options: OpeningAgentOptions = {}) {
    super({ keepAlive: true, ...options })
    this.#open = open
  }

  override createConnection(_options: unknown, done?: (error: Error | null, stream: Duplex) => void): undefined {
    this.#open().then(
      (socket) => {
        // It was opened too late for `destroy` to see it.
        if (this.#isDestroyed) socket.destroy()
        done?.(null, socket)
      },
      (error) => done?.(error, new Duplex()),
    )
  }

  /** Requests under way finish, and no connection is kept. */
  retire(): void {
    this.maxFreeSockets = 0
    for (const sockets of Object.values(this.freeSockets)) for (const socket of sockets ?? []) socket.destroy()
  }

  override destroy(): void {
    this.#isDestroyed = true
    super.destroy()
  }
}
