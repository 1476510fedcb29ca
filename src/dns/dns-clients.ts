import { parseIP } from '../api/core/addresses/ip-address.ts'
import type { Clock } from '../base/clock.ts'
import { LeakyBuckets } from '../base/leaky-buckets.ts'
import { rememberingRecent } from '../base/recent.ts'
import { isInner } from './address.ts'

const mostClients = 10_000
const mostConnections = 200
const mostConnectionsPerClient = 20
/** A question to the host's resolver takes its own socket. */
const foreignCost = 3
/** Writing this much of a reply costs about as much as reading a question. */
const bytesPerQuestion = 1_000

export interface DnsClientsOptions {
  readonly mostPerSecond: number
  readonly clock: Clock
}

export interface EndedConnection {
  destroy(): void
}

/** The clients, and how often they ask. Only addresses of inner networks are answered: this is not a public server. */
export class DnsClients {
  /** By client; the one used longest ago comes first. */
  readonly #connections = new Map<string, Set<EndedConnection>>()
  readonly #buckets: LeakyBuckets
  readonly #isInner = rememberingRecent(mostClients, (address) => {
    const parsed = parseIP(address)
    return parsed !== undefined && isInner(parsed)
  })
  #open = 0

  constructor({ mostPerSecond, clock }: DnsClientsOptions) {
    const refillMs = 1_000 / mostPerSecond
    this.#buckets = new LeakyBuckets({ clock, burst: mostPerSecond * 2, refillMs, most: mostClients })
  }

  mayAsk(address: string): boolean {
    return this.#isInner(address) && this.#buckets.add(address) === 0
  }

  askedElsewhere(address: string): void {
    this.#buckets.charge(address, foreignCost)
  }

  replied(address: string, { length }: Buffer): void {
    if (length >= bytesPerQuestion) this.#buckets.charge(address, Math.floor(length / bytesPerQuestion))
  }

  /** Whether there is room for one more. If not, a client that has more connections than this one loses one. */
  connect(address: string, connection: EndedConnection): boolean {
    const own = this.#connections.get(address) ?? new Set()
    if (!this.#isInner(address) || own.size >= mostConnectionsPerClient) return false
    if (this.#open >= mostConnections && !this.#makeRoom(own.size)) return false
    own.add(connection)
    this.#connections.set(address, own)
    this.#open += 1
    return true
  }

  used(address: string, connection: EndedConnection): void {
    const own = this.#connections.get(address)
    if (own?.delete(connection)) own.add(connection)
  }

  disconnect(address: string, connection: EndedConnection): void {
    const own = this.#connections.get(address)
    if (!own?.delete(connection)) return
    this.#open -= 1
    if (own.size === 0) this.#connections.delete(address)
  }

  endAll(): void {
    for (const own of [...this.#connections.values()]) for (const connection of [...own]) connection.destroy()
  }

  #makeRoom(ownCount: number): boolean {
    let most: readonly [string, Set<EndedConnection>] | undefined
    for (const entry of this.#connections) if (most === undefined || entry[1].size > most[1].size) most = entry
    const [longestUnused] = most?.[1] ?? []
    if (most === undefined || longestUnused === undefined || most[1].size <= ownCount + 1) return false
    this.disconnect(most[0], longestUnused)
    longestUnused.destroy()
    return true
  }
}
