import type { Socket } from 'node:net'
import type { Log } from '../../../base/log.ts'
import type { Limits } from '../../limits.ts'
import type { TrustedProxies } from '../../proxies/trusted-proxies.ts'
import { ConnectionCounts } from './connection-counts.ts'
import { checkFirstByte } from './first-byte.ts'

/** One refusal in this many is logged, so that refused clients cannot fill the log. */
const loggedOnceIn = 1_000

export interface ArrivalsParts {
  readonly limits: Limits
  readonly log: Log
  readonly proxies: TrustedProxies | undefined
}

/** Accepts connections before any data arrives: limits their number and requires TLS. */
export class Arrivals {
  readonly #limits: Limits
  readonly #log: Log
  readonly #proxies: TrustedProxies | undefined
  readonly #startTls: (socket: Socket) => void
  readonly #counts = new ConnectionCounts()
  readonly #sockets = new Set<Socket>()
  /** Connections on which nothing has arrived yet. */
  readonly #silent = new Set<Socket>()
  #refused = 0

  constructor({ limits, log, proxies }: ArrivalsParts, startTls: (socket: Socket) => void) {
    this.#limits = limits
    this.#log = log
    this.#proxies = proxies
    this.#startTls = startTls
  }

  readonly take = (socket: Socket): void => {
    const address = socket.remoteAddress ?? ''
    if (!this.#hasRoomFor(address)) {
      this.#refuse(socket, address)
      return
    }
    this.#counts.add(address)
    this.#sockets.add(socket)
    this.#silent.add(socket)
    socket.once('close', () => {
      this.#counts.remove(address)
      this.#sockets.delete(socket)
      this.#silent.delete(socket)
    })
    socket.setNoDelay(true)
    socket.setKeepAlive(true, this.#limits.pingIntervalMs)
    checkFirstByte(socket, this.#limits.handshakeTimeoutMs, (ready) => {
      this.#silent.delete(ready)
      this.#startTls(ready)
    })
  }

  cutSilent(): void {
    for (const socket of this.#silent) socket.destroy()
  }

  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** A proxy carries the connections of many clients. */
  #hasRoomFor(address: string): boolean {
    const { maxConnections, maxConnectionsPerNetwork } = this.#limits
    if (this.#counts.total >= maxConnections) return false
    return this.#counts.from(address) < maxConnectionsPerNetwork || this.#proxies?.has(address) === true
  }

  #refuse(socket: Socket, address: string): void {
    socket.destroy()
    if (this.#refused++ % loggedOnceIn !== 0) return
    this.#log.warn('connections are refused: there are too many', {
      address,
      fromThere: this.#counts.from(address),
      inAll: this.#counts.total,
      refusedSoFar: this.#refused,
    })
  }
}
