/** A connection as far as floods go. */
export interface FloodingConnection {
  /** Where it comes from, as `networkOf` says it. Absent: from a proxy, which passes on requests of many. */
  readonly network: string | undefined
  /** Who has asked on it. Absent: it is not known yet, or a stranger. */
  readonly caller: string | undefined
  cut(): void
}

/** So many of one party in one turn of the event loop are no accident. */
const fewFloods = 3

/**
 * Node reads 64 KiB of a connection before anything can be said about them: thousands of requests, streams or pieces of a body, which take up
 * to 80 ms. It reads all connections that have something in one turn of the event loop, so that a hundred of them, opened before, would
 * keep everything else waiting for seconds. So a party that floods on several connections at once loses all that it has, before they are read. A party is a caller
 * in a network, or what is not known yet there.
 */
export class Floods {
  readonly #connections = new Set<FloodingConnection>()
  /** Those that have flooded in this turn, by party. */
  readonly #flooding = new Map<string, Set<FloodingConnection>>()

  add(connection: FloodingConnection): void {
    this.#connections.add(connection)
  }

  remove(connection: FloodingConnection): void {
    this.#connections.delete(connection)
  }

  /** It has brought more at once than a client may send ahead. Several streams of one connection may say so, and count once. */
  report(connection: FloodingConnection): void {
    if (connection.network === undefined) return
    if (this.#flooding.size === 0) setImmediate(() => this.#flooding.clear())
    const party = partyOf(connection)
    const flooding = this.#flooding.get(party) ?? new Set()
    if (flooding.has(connection)) return
    this.#flooding.set(party, flooding.add(connection))
    if (flooding.size < fewFloods) return
    for (const each of this.#connections) if (partyOf(each) === party) each.cut()
  }
}

function partyOf({ network, caller }: FloodingConnection): string {
  return `${network} ${caller ?? ''}`
}
