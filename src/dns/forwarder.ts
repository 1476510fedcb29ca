import { createSocket } from 'node:dgram'
import { connect, isIP } from 'node:net'
import type { Random } from '../base/random.ts'
import { withinTime } from '../base/within-time.ts'
import type { DnsQuestion } from './contract.ts'
import { TcpMessages, withLength } from './tcp-messages.ts'
import { type ForeignReply, readReply, writeQuestion } from './wire.ts'

const usualPort = 53
const timeoutMs = 2_000
const attempts = 2
const mostOpen = 500
const mostOpenPerClient = 50
const largestReply = 65_535

export interface NameForwarderOptions {
  /** In the format of `dns.getServers()`. */
  readonly servers: () => readonly string[]
  readonly random: Random
}

interface Upstream {
  readonly host: string
  readonly port: number
}

/** Asks the host's resolver about names outside the virtual cluster, within limits. */
export class NameForwarder {
  readonly #options: NameForwarderOptions
  /** By client; the oldest first. */
  readonly #openOf = new Map<string, Set<AbortController>>()
  readonly #stopping = new AbortController()
  #open = 0

  constructor(options: NameForwarderOptions) {
    this.#options = options
  }

  /** Undefined if no server answers, or too many questions are open. */
  async ask(question: DnsQuestion, client: string): Promise<ForeignReply | undefined> {
    const given = this.#enter(client)
    if (given === undefined) return undefined
    try {
      return await this.#askServers(question, given.signal)
    } finally {
      this.#leave(client, given)
    }
  }

  stop(): void {
    this.#stopping.abort()
  }

  /** If there is no room left, a client that has more open questions than this one loses its oldest. */
  #enter(client: string): AbortController | undefined {
    const own = this.#openOf.get(client) ?? new Set()
    if (own.size >= mostOpenPerClient || this.#stopping.signal.aborted) return undefined
    if (this.#open >= mostOpen && !this.#makeRoom(own.size)) return undefined
    const given = new AbortController()
    own.add(given)
    this.#openOf.set(client, own)
    this.#open += 1
    return given
  }

  #leave(client: string, given: AbortController): void {
    const own = this.#openOf.get(client)
    if (!own?.delete(given)) return
    this.#open -= 1
    if (own.size === 0) this.#openOf.delete(client)
  }

  #makeRoom(ownCount: number): boolean {
    let most: readonly [string, Set<AbortController>] | undefined
    for (const entry of this.#openOf) if (most === undefined || entry[1].size > most[1].size) most = entry
    const [oldest] = most?.[1] ?? []
    if (most === undefined || oldest === undefined || most[1].size <= ownCount + 1) return false
    this.#leave(most[0], oldest)
    oldest.abort()
    return true
  }

  async #askServers(question: DnsQuestion, signal: AbortSignal): Promise<ForeignReply | undefined> {
    const upstreams = this.#options.servers().flatMap((text) => upstreamOf(text) ?? [])
    for (let attempt = 0; attempt < attempts; attempt++) {
      const upstream = upstreams[attempt % upstreams.length]
      const reply = upstream && (await this.#askOne(upstream, question, signal))
      if (reply !== undefined || signal.aborted || this.#stopping.signal.aborted) return reply
    }
    return undefined
  }

  /** A reply that did not fit into a datagram is requested again over TCP. */
  async #askOne(upstream: Upstream, question: DnsQuestion, until: AbortSignal): Promise<ForeignReply | undefined> {
    const signal = withinTime(timeoutMs, until, this.#stopping.signal)
    const reply = await askByDatagram(upstream, question, this.#newId(), signal)
    return reply?.isTruncated ? ((await askByStream(upstream, question, this.#newId(), signal)) ?? reply) : reply
  }

  #newId(): number {
    const [high = 0, low = 0] = this.#options.random.bytes(2)
    return (high << 8) | low
  }
}

/** Each question is sent from its own port, chosen by the system: a forged reply would have to guess it, too. */
function askByDatagram(
  { host, port }: Upstream,
  question: DnsQuestion,
  id: number,
  signal: AbortSignal,
): Promise<ForeignReply | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket(isIP(host) === 6 ? 'udp6' : 'udp4')
    let isOver = false
    const end = (reply?: ForeignReply) => {
      if (isOver) return
      isOver = true
      socket.close()
      resolve(reply)
    }
    signal.addEventListener('abort', () => end(), { once: true })
    socket.on('error', () => end())
    socket.on('message', (bytes) => {
      const reply = readReply(bytes, id, question)
      if (reply !== undefined) end(reply)
    })
    // On a connected socket, the system drops datagrams from elsewhere.
    socket.connect(port, host, () => {
      if (!isOver) socket.send(writeQuestion(id, question), (error) => error && end())
    })
  })
}

function askByStream(
  { host, port }: Upstream,
  question: DnsQuestion,
  id: number,
  signal: AbortSignal,
): Promise<ForeignReply | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, signal })
    const messages = new TcpMessages(largestReply)
    const end = (reply?: ForeignReply) => {
      socket.destroy()
      resolve(reply)
    }
    socket.on('error', () => end())
    socket.on('close', () => end())
    socket.on('connect', () => socket.write(withLength(writeQuestion(id, question))))
    socket.on('data', (bytes) => {
      for (const message of messages.add(bytes) ?? []) end(readReply(message, id, question))
    })
  })
}

/** `10.0.0.2`, `10.0.0.2:5353`, `fd00::2` or `[fd00::2]:5353`. */
function upstreamOf(text: string): Upstream | undefined {
  if (isIP(text) !== 0) return { host: text, port: usualPort }
  const [, host = '', port = ''] = /^\[?([^\]]+)\]?:(\d+)$/.exec(text) ?? []
  return isIP(host) === 0 ? undefined : { host, port: Number(port) }
}
