import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2'
import type { Duplex } from 'node:stream'
import type { Credential } from '../../api/access.ts'
import { callsPath, controlPath, type LinkEnd, type PlatformMessage } from '../../api/link.ts'
import { onLines } from '../../base/json/lines.ts'
import { Calling } from '../../client/forward/calls/calling.ts'
import type { ForwardAnswer, Forwarder, ForwardRequest } from '../../client/forward/contract.ts'
import { streamOf } from '../../client/forward/give-up.ts'
import { forwardOverHttp2 } from '../../client/forward/over-http2.ts'

export interface LinkOptions {
  readonly project: string
  readonly name: string
  readonly connection: Duplex
  readonly credential: Credential
  /** Checks a key that is to carry the link from now on. */
  readonly authenticate: (accessKey: string) => Promise<KeyCheck>
  readonly onEnd: (link: Link, why: EndOfLink) => void
  readonly now: () => number
}

export type KeyCheck =
  | { readonly outcome: 'taken'; readonly credential: Credential }
  | { readonly outcome: 'refused'; readonly reason: string; readonly message: string }

export interface EndOfLink {
  readonly reason: LinkEnd | 'ConnectionLost' | 'TenantStopped'
  readonly message: string
}

const pingIntervalMs = 10_000
const windowBytes = 1024 * 1024
const sessionWindowBytes = 8 * 1024 * 1024
/** How long the last message may take to get out before the connection goes. */
const lastWordsMs = 200
export const maxOpenStreams = 10_000

/** One linked tenant: the platform asks, the tenant answers. Lives as long as the connection. */
export class Link implements Forwarder {
  readonly project: string
  readonly name: string
  readonly openedAtMs: number
  lastSeenMs: number
  /** Whether the store says that this replica holds the link. */
  isAnnounced = false
  readonly #options: LinkOptions
  readonly #session: ClientHttp2Session
  readonly #control: ClientHttp2Stream
  readonly #ping: NodeJS.Timeout
  /** Absent as long as the tenant has not said that it takes calls. */
  #calling: Calling | undefined
  #keyName = ''
  /** Kept, because a key that is asked again after its revocation gives another one. */
  #revocation: AbortSignal = new AbortController().signal
  #end: EndOfLink | undefined
  #openStreams = 0
  readonly #onIdle: (() => void)[] = []

  constructor(options: LinkOptions) {
    this.project = options.project
    this.name = options.name
    this.openedAtMs = options.now()
    this.lastSeenMs = this.openedAtMs
    this.#options = options
    this.#session = openSession(options.connection)
    this.#session.once('close', () => this.#closed())
    this.#control = this.#session.request({ ':method': 'POST', ':path': controlPath }, { endStream: false })
    this.#control.on('error', () => {}).once('close', () => this.#cut())
    onLines(this.#control, (message) => this.#take(message))
    this.#openCalls()
    this.#ping = setInterval(() => this.#checkPeer(), pingIntervalMs).unref()
    this.#carryBy(options.credential)
  }

  get keyName(): string {
    return this.#keyName
  }

  get openStreams(): number {
    return this.#openStreams
  }

  async forward(request: ForwardRequest): Promise<ForwardAnswer> {
    this.#openStreams += 1
    const release = () => {
      this.#openStreams -= 1
      if (this.#openStreams === 0) for (const resolve of this.#onIdle.splice(0)) resolve()
    }
    try {
      const answer = await (this.#calling?.forward(request) ?? forwardOverHttp2(this.#session, request))
      const stream = streamOf(answer)
      if (stream === undefined || stream.closed) release()
      else stream.once('close', release)
      return answer
    } catch (error) {
      release()
      throw error
    }
  }

  #openCalls(): void {
    const stream = this.#session.request({ ':method': 'POST', ':path': callsPath }, { endStream: false })
    stream.on('error', () => {})
    stream.once('response', ({ ':status': status }) => {
      if (status !== 200) stream.resume()
      else this.#calling = new Calling({ stream, fetchElsewhere: (call, request) => this.#fetch(call, request) })
    })
    stream.once('close', () => {
      this.#calling = undefined
    })
  }

  #fetch(call: number, { signal }: ForwardRequest): Promise<ForwardAnswer> {
    const url = `${callsPath}/${call}`
    return forwardOverHttp2(this.#session, {
      method: 'GET',
      url,
      headers: [],
      body: undefined,
      upgrade: undefined,
      signal,
    })
  }

  /** Tells the tenant why, then cuts the connection and everything on it. */
  end(reason: LinkEnd, message: string): void {
    if (this.#end !== undefined) return
    this.#end = { reason, message }
    this.#say({ type: 'ended', reason, message })
    setTimeout(() => this.#cut(), lastWordsMs)
  }

  /** The same, but what is under way may finish within the time given. */
  async drain(message: string, graceMs: number): Promise<void> {
    if (this.#end !== undefined) return
    this.#end = { reason: 'Draining', message }
    this.#say({ type: 'ended', reason: 'Draining', message })
    await Promise.race([this.#idle(), pause(graceMs)])
    await pause(lastWordsMs)
    this.#cut()
  }

  async #idle(): Promise<void> {
    if (this.#openStreams > 0) await new Promise<void>((resolve) => this.#onIdle.push(resolve))
  }

  readonly #revoked = (): void => {
    const { reason } = this.#revocation
    this.end('KeyRevoked', reason instanceof Error ? reason.message : 'The access key is no longer valid.')
  }

  #say(message: PlatformMessage): void {
    if (!this.#control.destroyed && this.#control.writable) this.#control.write(`${JSON.stringify(message)}\n`)
  }

  #take(message: Readonly<Record<string, unknown>>): void {
    this.lastSeenMs = this.#options.now()
    if (message.type === 'stopping') {
      this.#end ??= { reason: 'TenantStopped', message: 'The virtual cluster is being stopped.' }
    } else if (message.type === 'authenticate' && typeof message.accessKey === 'string') {
      void this.#authenticate(message.accessKey)
    }
  }

  async #authenticate(accessKey: string): Promise<void> {
    const check = await this.#options.authenticate(accessKey)
    if (check.outcome === 'refused') {
      this.#say({ type: 'refused', reason: check.reason, message: check.message })
      return
    }
    this.#carryBy(check.credential)
    this.#say({ type: 'authenticated' })
  }

  /** The link lives as long as this key does, and no longer by the one before. */
  #carryBy({ keyName, revoked }: Credential): void {
    this.#revocation.removeEventListener('abort', this.#revoked)
    this.#keyName = keyName
    this.#revocation = revoked
    revoked.addEventListener('abort', this.#revoked, { once: true })
    if (revoked.aborted) this.#revoked()
  }

  #checkPeer(): void {
    const { now } = this.#options
    if (now() - this.lastSeenMs > 2.5 * pingIntervalMs) {
      this.#cut()
      return
    }
    if (this.#session.destroyed) return
    this.#session.ping((error) => {
      if (error === null) this.lastSeenMs = now()
    })
  }

  /**
   * By the connection and not by the session: that one, destroyed while a stream has something to send, never returns
   * from Node's own code.
   */
  #cut(): void {
    this.#options.connection.destroy()
  }

  #closed(): void {
    clearInterval(this.#ping)
    this.#revocation.removeEventListener('abort', this.#revoked)
    this.#options.onEnd(this, this.#end ?? { reason: 'ConnectionLost', message: 'The connection was lost.' })
  }
}

/** The connection has changed sides: whoever took the call is the client now. */
function openSession(connection: Duplex): ClientHttp2Session {
  const session = connect('http://link', {
    createConnection: () => connection,
    settings: { enablePush: false, initialWindowSize: windowBytes, maxHeaderListSize: 65_536 },
    maxSessionMemory: 256,
  })
  session.on('error', () => connection.destroy())
  session.once('connect', () => session.setLocalWindowSize(sessionWindowBytes))
  return session
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
