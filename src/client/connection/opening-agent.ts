import { Agent } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

/** Takes its connections from a function that opens and checks them, and keeps those that are free. */
export class OpeningAgent extends Agent {
  readonly #open: () => Promise<Socket>

  constructor(open: () => Promise<Socket>, options: { readonly maxFreeSockets?: number } = {}) {
    super({ keepAlive: true, ...options })
    this.#open = open
  }

  override createConnection(_options: unknown, done?: (error: Error | null, stream: Duplex) => void): undefined {
    this.#open().then(
      (socket) => done?.(null, socket),
      (error) => done?.(error, new Duplex()),
    )
  }
}
