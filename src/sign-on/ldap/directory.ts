import type { TLSSocket } from 'node:tls'
import { Client, type Entry, type Filter, ResultCodeError } from 'ldapts'
import { SignOnFailure } from '../failure.ts'
import { MessageStream } from './message-stream.ts'
import { type DirectoryAddress, openSecureSocket } from './secure-socket.ts'

const timeoutMs = 10_000
const pageSize = 200

export interface Search {
  readonly baseDN: string
  /** Absent: the entry itself and everything below it. */
  readonly scope?: 'base'
  readonly filter: Filter
  readonly attributes: readonly string[]
  /** The maximum number of entries. */
  readonly most: number
}

/**
 * One connection to a directory, which may be hostile or slow; the signal limits its time. The library never opens a
 * connection itself, since a second one would be plain; it follows no referrals.
 */
export class DirectoryConnection {
  readonly #client: Client
  readonly #socket: TLSSocket

  private constructor(socket: TLSSocket) {
    let isTaken = false
    const stream = new MessageStream(socket)
    this.#socket = socket
    this.#client = new Client({
      url: 'ldap://directory',
      timeout: timeoutMs,
      createConnection: () => {
        if (isTaken) throw new SignOnFailure('unavailable', 'the directory closed the connection')
        isTaken = true
        return stream.asSocket()
      },
    })
  }

  static async open(address: DirectoryAddress, signal: AbortSignal): Promise<DirectoryConnection> {
    const socket = await openSecureSocket(address, signal)
    const end = () => void socket.destroy()
    signal.addEventListener('abort', end, { once: true })
    socket.once('close', () => signal.removeEventListener('abort', end))
    return new DirectoryConnection(socket)
  }

  /**
   * Throws a `ResultCodeError` if the directory refuses. Without a password the directory would succeed without any
   * check; text that is not the name of an entry would mean something else to the library.
   */
  async bind(dn: string, password: string): Promise<void> {
    if (password === '' || !dn.includes('=')) throw new Error('a bind takes the name of an entry and a password')
    await this.#client.bind(dn, password)
  }

  /** In pages. Entries beyond `most` are omitted. */
  async find({ baseDN, scope, filter, attributes, most }: Search): Promise<readonly Entry[]> {
    const found: Entry[] = []
    const pages = this.#client.searchPaginated(baseDN, {
      scope: scope ?? 'sub',
      filter,
      attributes: [...attributes],
      explicitBufferAttributes: ['objectGUID'],
      derefAliases: 'never',
      timeLimit: timeoutMs / 1000,
      paged: { pageSize: Math.min(pageSize, most) },
    })
    for await (const { searchEntries } of pages) {
      found.push(...searchEntries.slice(0, most - found.length))
      if (found.length >= most) break
    }
    return found
  }

  /** One entry by its name. Undefined: it does not exist, is on another server, or does not match. */
  async read(dn: string, filter: Filter, attributes: readonly string[]): Promise<Entry | undefined> {
    try {
      const [entry] = await this.find({ baseDN: dn, scope: 'base', filter, attributes, most: 1 })
      return entry
    } catch (error) {
      if (error instanceof ResultCodeError && elsewhereCodes.has(error.code)) return undefined
      throw error
    }
  }

  close(): void {
    this.#socket.destroy()
  }
}

/** `referral` and `noSuchObject`. */
const elsewhereCodes: ReadonlySet<number> = new Set([10, 32])
