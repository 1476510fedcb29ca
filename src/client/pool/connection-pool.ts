import type { Socket } from 'node:net'
import { ConnectionError } from '../connection/connection-error.ts'
import { connectionFailure } from '../connection/connection-failure.ts'
import type { PooledConnection, PooledConnectionOptions } from './pooled-connection.ts'

export interface PoolOptions extends PooledConnectionOptions {
  readonly open: () => Promise<Socket>
  /** Limit of connections. A request that finds all of them in use waits. */
  readonly most: number
}

interface Waiter {
  readonly take: (connection: PooledConnection) => void
  readonly fail: (error: unknown) => void
}

/** Reused connections to one server. */
export class ConnectionPool {
  readonly #options: PoolOptions
  /** The most recently used one is used first, so that those not needed expire. */
  readonly #free: PooledConnection[] = []
  readonly #connections = new Set<PooledConnection>()
  readonly #waiting: Waiter[] = []
  #opening = 0
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** A connection that can accept a request, which must be sent on it at once. */
  take(): PooledConnection | undefined {
    for (let last = this.#free.pop(); last !== undefined; last = this.#free.pop()) if (last.isOpen) return last
    return undefined
  }

  /** The same, even if it must be opened or waited for. */
  whenFree(signal: AbortSignal | undefined): Promise<PooledConnection> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(this.#closedError())
      if (signal?.aborted) return reject(signal.reason)
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
        reject(signal?.reason)
      }
      const waiter: Waiter = {
        take: (connection) => {
          signal?.removeEventListener('abort', leave)
          resolve(connection)
        },
        fail: (error) => {
          signal?.removeEventListener('abort', leave)
          reject(error)
        },
      }
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.push(waiter)
      this.#openForWaiting()
    })
  }

  /** Returns a connection that was taken and can accept the next request. */
  giveBack(connection: PooledConnection): void {
    const waiter = this.#waiting.shift()
    if (waiter !== undefined) waiter.take(connection)
    else if (this.#isClosed) connection.destroy(this.#closedError())
    else {
      connection.rest()
      this.#free.push(connection)
    }
  }

  /** Requests under way, or waiting for a connection, still finish. */
  close(): void {
    this.#isClosed = true
    for (const connection of this.#free.splice(0)) connection.destroy(this.#closedError())
  }

  destroy(): void {
    this.close()
    for (const waiter of this.#waiting.splice(0)) waiter.fail(this.#closedError())
    for (const connection of this.#connections) connection.destroy(this.#closedError())
  }

  /** Opens a connection for each waiter, up to the limit. */
  #openForWaiting(): void {
    const { most } = this.#options
    while (this.#opening < this.#waiting.length && this.#connections.size + this.#opening < most) void this.#open()
  }

  async #open(): Promise<void> {
    this.#opening++
    try {
      const connection = await this.#opened()
      this.#opening--
      this.#connections.add(connection)
      this.giveBack(connection)
    } catch (error) {
      this.#opening--
      // Only the longest waiter fails; the others may succeed.
      this.#waiting.shift()?.fail(error)
      this.#openForWaiting()
    }
  }

  /** The library behind a connection takes time to load, which commands without one should not spend. */
  async #opened(): Promise<PooledConnection> {
    const [socket, { PooledConnection }] = await Promise.all([this.#options.open(), import('./pooled-connection.ts')])
    // The socket reports this only once, and perhaps before it had a listener.
    if (socket.destroyed) throw connectionFailure(this.#options.origin, 'the connection was cut', { nothingSent: true })
    return new PooledConnection(socket, this.#options, {
      onFree: (free) => this.giveBack(free),
      onClosed: (closed) => this.#onClosed(closed),
    })
  }

  #onClosed(connection: PooledConnection): void {
    this.#connections.delete(connection)
    const index = this.#free.indexOf(connection)
    if (index >= 0) this.#free.splice(index, 1)
    this.#openForWaiting()
  }

  #closedError(): ConnectionError {
    return new ConnectionError(`the client of ${this.#options.origin} has been closed`)
  }
}
