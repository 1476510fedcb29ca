/** A connection, as seen by flood protection. */
export interface FloodingConnection {
  /** The network it comes from; see `networkOf`. Absent: it is a proxy's, which forwards requests of many. */
  readonly network: string | undefined
  /** The caller on it. Absent: not known yet, or a stranger. */
  readonly caller: string | undefined
  cut(): void
}

/** More floods than this from one party in one iteration of the event loop are no accident. */
const fewFloods = 3

/**
 * Node reads 64 KiB of a connection before the server can react: thousands of requests, streams or pieces of a body,
 * which take up to 80 ms. It reads all connections with data in one iteration of the event loop, so a hundred
 * connections opened before would block everything else for seconds. Therefore, a party that floods on several
 * connections at once loses all of its connections before they are read. A party is a caller in a network, or the
 * connections there whose callers are not known yet.
 */
export class Floods {
  readonly #connections = new Set<FloodingConnection>()
  /** Connections that have flooded in this iteration, by party. */
  readonly #flooding = new Map<string, Set<FloodingConnection>>()

  add(connection: FloodingConnection): void {
    this.#connections.add(connection)
  }

  remove(connection: FloodingConnection): void {
    this.#connections.delete(connection)
  }

  /**
   * The connection delivered more at once than a client may send ahead. Several streams of one connection may report
   * this; it counts once.
   */
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
