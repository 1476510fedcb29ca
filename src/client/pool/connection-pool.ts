import type { Socket } from 'node:net'
import { ConnectionError } from '../connection/connection-error.ts'
import { connectionFailure } from '../connection/connection-failure.ts'
import type { PooledConnection, PooledConnectionOptions } from './pooled-connection.ts'

export interface PoolOptions extends PooledConnectionOptions {
  readonly open: () => Promise<Socket>
  /** Connections at the same time. A request that comes when all are in use waits. */
  readonly most: number
}

interface Waiter {
  readonly take: (connection: PooledConnection) => void
  readonly fail: (error: unknown) => void
}

/** Connections to one server that are used again and again. */
export class ConnectionPool {
  readonly #options: PoolOptions
  /** The one that was used last is used first, so that those that are not needed come to their end. */
  readonly #free: PooledConnection[] = []
  readonly #connections = new Set<PooledConnection>()
  readonly #waiting: Waiter[] = []
  #opening = 0
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** One that can take a request, which has to be sent on it at once. */
  take(): PooledConnection | undefined {
    for (let last = this.#free.pop(); last !== undefined; last = this.#free.pop()) if (last.isOpen) return last
    return undefined
  }

  /** The same, even if it has to be opened or waited for. */
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

  /** One that was taken and can take the next request. */
  giveBack(connection: PooledConnection): void {
    const waiter = this.#waiting.shift()
    if (waiter !== undefined) waiter.take(connection)
    else if (this.#isClosed) connection.destroy(this.#closedError())
    else {
      connection.rest()
      this.#free.push(connection)
    }
  }

  /** Requests that are under way, or wait for a connection, come to their end. */
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
      // Only the longest waiter fails; the others may have more luck.
      this.#waiting.shift()?.fail(error)
      this.#openForWaiting()
    }
  }

  /** The library behind a connection takes time to load, which commands that open none should not spend. */
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
