import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2'
import type { Duplex } from 'node:stream'
import type { Credential } from '../../api/access.ts'
import { controlPath, type LinkEnd, type PlatformMessage } from '../../api/link.ts'
import { controlLimits, linkLimits } from '../../api/link-limits.ts'
import { KeysUnconfirmed } from '../../auth/keys/index/revocations.ts'
import type { Clock } from '../../base/clock.ts'
import { LatestOnly } from '../../base/concurrency/latest-only.ts'
import { limitedLines } from '../../base/json/limited-lines.ts'
import { waitAtMost } from '../../base/pause.ts'
import type { ForwardAnswer, Forwarder, ForwardRequest } from '../../client/forward/contract.ts'
import { OpenStreams } from '../../client/forward/open-streams.ts'
import { forwardOverHttp2 } from '../../client/forward/over-http2.ts'
import { PeerWatch } from '../../client/forward/peer-watch.ts'
import { windDown } from '../../client/forward/wind-down.ts'
import type { DrainTimes } from './drain-times.ts'
import type { CarriedByKey, LinkKeys } from './link-keys.ts'
import { onUnwantedFrame } from './unwanted-frames.ts'

export interface LinkOptions {
  readonly project: string
  readonly name: string
  /** The process of the virtual cluster that opened the link. */
  readonly process: string
  /** The hash of the proof that the process sent. */
  readonly proofHash: string
  readonly connection: Duplex
  readonly credential: Credential
  readonly keys: LinkKeys
  /** Checks a key that is to carry the link from now on. */
  readonly authenticate: (accessKey: string) => Promise<LinkKeyCheck>
  /** Called when the process at the other end is about to stop. */
  readonly onLeave: (link: Link) => void
  readonly onEnd: (link: Link, why: EndOfLink) => void
  readonly clock: Clock
  /** For durations. */
  readonly elapsed: Clock
}

export type LinkKeyCheck =
  | { readonly outcome: 'taken'; readonly credential: Credential }
  | { readonly outcome: 'refused'; readonly reason: string; readonly message: string }

export interface EndOfLink {
  readonly reason: LinkEnd | 'ConnectionLost' | 'TenantStopped'
  readonly message: string
}

/** One linked tenant: the platform sends requests, the tenant answers. Lives as long as the connection. */
export class Link implements Forwarder, CarriedByKey {
  readonly project: string
  readonly name: string
  readonly process: string
  readonly proofHash: string
  /** Whether the store records that this replica holds the link. */
  isAnnounced = false
  readonly #options: LinkOptions
  readonly #session: ClientHttp2Session
  readonly #control: ClientHttp2Stream
  readonly #peer: PeerWatch
  readonly #gone: Promise<void>
  readonly #streams = new OpenStreams()
  readonly #keys: LatestOnly<string>
  #credential: Credential
  /** Kept here, because the key returns a new signal after its revocation. */
  #revocation: AbortSignal
  #dropKey = (): void => {}
  #end: EndOfLink | undefined
  /** Whether the connection will be cut soon, whatever the tenant sends. */
  #isBeingCut = false
  /** Whether the tenant was asked to move and is now linked elsewhere. */
  #hasMoved = false

  constructor(options: LinkOptions) {
    this.project = options.project
    this.name = options.name
    this.process = options.process
    this.proofHash = options.proofHash
    this.#options = options
    this.#session = openSession(options.connection)
    this.#gone = new Promise((resolve) => {
      this.#session.once('close', () => {
        resolve()
        this.#closed()
      })
    })
    this.#control = this.#session.request({ ':method': 'POST', ':path': controlPath }, { endStream: false })
    this.#control.on('error', () => {}).once('close', () => this.cut())
    limitedLines(this.#control, {
      ...controlLimits,
      now: () => options.elapsed.now(),
      take: (message) => this.#take(message),
      onExcess: (problem) => this.end('Flooding', `The virtual cluster sends too much on its link: ${problem}.`),
    })
    this.#session.on('stream', () => this.end('Flooding', 'The virtual cluster asks on a link on which it answers.'))
    onUnwantedFrame(this.#session, this.#control, (what) =>
      this.#endAtOnce(`The virtual cluster ${what}, which no link needs.`),
    )
    this.#peer = new PeerWatch({ session: this.#session, elapsed: options.elapsed, onSilence: () => this.cut() })
    this.#keys = new LatestOnly((accessKey) => this.#authenticate(accessKey))
    this.#credential = options.credential
    this.#revocation = options.credential.revoked
    this.#carryBy(options.credential, this.#revocation)
  }

  get keyName(): string {
    return this.#credential.keyName
  }

  get keyUid(): string {
    return this.#credential.keyUid
  }

  get isEnding(): boolean {
    return this.#end !== undefined || this.#revocation.aborted
  }

  /** Whether the process at the other end is about to stop. */
  get isLeaving(): boolean {
    return this.#end?.reason === 'TenantStopped'
  }

  /**
   * Whether the platform ended the link, or it has moved: no further requests are sent on it, although the connection
   * may still be open. A link that was only told to drain is not included.
   */
  get isBeingCut(): boolean {
    return this.#isBeingCut || this.#hasMoved || this.#revocation.aborted
  }

  get lastSeenMs(): number {
    return this.#options.clock.now() - this.#peer.quietForMs
  }

  get openStreams(): number {
    return this.#streams.count
  }

  forward(request: ForwardRequest): Promise<ForwardAnswer> {
    return this.#streams.counted(forwardOverHttp2(this.#session, request))
  }

  /** Tells the tenant the reason, then cuts the connection with everything on it. */
  end(reason: LinkEnd, message: string): void {
    if (this.#tellEnd(reason, message)) setTimeout(() => this.cut(), linkLimits.lastWordsMs)
  }

  /**
   * Leaves no time for last words, even if some were sent, because a flood would continue meanwhile. Never cuts while
   * Node reads.
   */
  #endAtOnce(message: string): void {
    this.#tellEnd('Flooding', message)
    setImmediate(() => this.cut())
  }

  /** Asks the tenant to link elsewhere. Resolves when it has left; until then it still gets requests here. */
  async move(message: string, { graceMs, returnWithinMs }: DrainTimes): Promise<void> {
    if (this.#isBeingCut) return
    this.#sayDraining(message, returnWithinMs)
    await waitAtMost(graceMs, this.#gone)
  }

  /**
   * The tenant has linked to another replica. If it was asked to move, it ends this link itself once requests under way
   * have had their time.
   */
  replaced(message: string): void {
    if (this.#end?.reason === 'Draining') this.#hasMoved = true
    else this.end('Replaced', message)
  }

  /**
   * Tells the tenant when to return, then cuts the connection; requests under way may finish within the grace period.
   */
  async drain(message: string, { graceMs, returnWithinMs }: DrainTimes): Promise<void> {
    if (this.#isBeingCut) return
    this.#sayDraining(message, returnWithinMs)
    await windDown(this.#streams, graceMs)
    this.cut()
  }

  revoked(reason: unknown): void {
    // If the key is merely unconfirmed, another replica can tell whether it is still valid.
    const end = reason instanceof KeysUnconfirmed ? 'Draining' : 'KeyRevoked'
    const isTold = this.#tellEnd(end, reason instanceof Error ? reason.message : 'The access key is no longer valid.')
    // Requests under way end without waiting until all links of the key have been told.
    if (isTold && this.#streams.count > 0) setTimeout(() => this.cut(), linkLimits.lastWordsMs)
  }

  /**
   * Destroys the connection, not the session: destroying a session while a stream has data to send never returns from
   * Node's own code.
   */
  cut(): void {
    this.#options.connection.destroy()
  }

  /** False: the tenant was already told. */
  #tellEnd(reason: LinkEnd, message: string): boolean {
    if (this.#isBeingCut) return false
    this.#isBeingCut = true
    this.#end = { reason, message }
    this.#say({ type: 'ended', reason, message })
    return true
  }

  #sayDraining(message: string, returnWithinMs: number): void {
    if (this.#end === undefined) this.#say({ type: 'ended', reason: 'Draining', message, returnWithinMs })
    this.#end ??= { reason: 'Draining', message }
  }

  /** A tenant that does not read its messages loses the link. */
  #say(message: PlatformMessage): void {
    if (this.#control.destroyed || !this.#control.writable) return
    this.#control.write(`${JSON.stringify(message)}\n`)
    if (this.#control.writableLength > linkLimits.maxUnreadControlBytes) this.cut()
  }

  #take(message: Readonly<Record<string, unknown>>): void {
    this.#peer.seen()
    if (message.type === 'stopping') {
      if (this.#end !== undefined) return
      this.#end = { reason: 'TenantStopped', message: 'The virtual cluster is being stopped.' }
      this.#options.onLeave(this)
    } else if (message.type === 'authenticate' && typeof message.accessKey === 'string') {
      this.#keys.add(message.accessKey)
    }
  }

  async #authenticate(accessKey: string): Promise<void> {
    const check = await this.#options.authenticate(accessKey).catch(() => unchecked)
    if (this.isEnding) return
    if (check.outcome === 'refused') {
      this.#say({ type: 'refused', reason: check.reason, message: check.message })
      return
    }
    this.#carryBy(check.credential, check.credential.revoked)
    this.#say({ type: 'authenticated' })
  }

  /** From now on, the link lives as long as this key, independent of the previous one. */
  #carryBy(credential: Credential, revocation: AbortSignal): void {
    this.#dropKey()
    this.#credential = credential
    this.#revocation = revocation
    this.#dropKey = this.#options.keys.carry(this, credential, revocation)
  }

  #closed(): void {
    this.#peer.stop()
    this.#dropKey()
    this.#options.onEnd(this, this.#end ?? { reason: 'ConnectionLost', message: 'The connection was lost.' })
  }
}

/** Ensures that no error stays uncaught, whatever a tenant sends. */
const unchecked: LinkKeyCheck = {
  outcome: 'refused',
  reason: 'KeyRefused',
  message: 'the access key could not be checked, please try again',
}

/** The roles on this connection are reversed: the side that accepted it is now the client. */
function openSession(connection: Duplex): ClientHttp2Session {
  const { windowBytes, sessionWindowBytes, maxHeaderBytes } = linkLimits
  const session = connect('http://link', {
    createConnection: () => connection,
    settings: {
      enablePush: false,
      maxConcurrentStreams: 0,
      initialWindowSize: windowBytes,
      maxHeaderListSize: maxHeaderBytes,
    },
    maxReservedRemoteStreams: 0,
    maxSessionMemory: linkLimits.maxPlatformMemory,
    maxHeaderListPairs: linkLimits.maxAnswerHeaders,
  })
  session.on('error', () => connection.destroy())
  session.once('connect', () => session.setLocalWindowSize(sessionWindowBytes))
  return session
}
