import { type ClientHttp2Session, connect } from 'node:http2'
import type { Socket } from 'node:net'
import { serviceUnavailable } from '../../api/error.ts'
import type { Clock } from '../../base/clock.ts'
import { errorText } from '../../base/error-text.ts'
import { openConnection } from '../../client/connection/connect.ts'
import { readFingerprint } from '../../client/connection/fingerprint.ts'
import type { ForwardAnswer, ForwardRequest } from '../../client/forward/contract.ts'
import { OpenStreams } from '../../client/forward/open-streams.ts'
import { forwardOverHttp2 } from '../../client/forward/over-http2.ts'
import { PeerWatch } from '../../client/forward/peer-watch.ts'
import { relayedHeaders, relayPath } from './relay-wire.ts'
import type { ReplicaAddress } from './replica-lease.ts'

const connectTimeoutMs = 3_000
/** A server limits the streams of one connection; another connection is opened before that limit. */
const streamsPerSession = 200
/** How often other requests may take the streams of a new connection first. */
const mostAttempts = 50

interface OpenSession {
  readonly session: ClientHttp2Session
  readonly socket: Socket
  readonly streams: OpenStreams
}

/** Connections to the other replicas, opened on demand. */
export class Relay {
  readonly #sessions = new Map<string, readonly OpenSession[]>()
  readonly #opening = new Map<string, Promise<void>>()
  readonly #token: () => string | undefined
  readonly #elapsed: Clock

  /** `elapsed`: for durations. */
  constructor(token: () => string | undefined, elapsed: Clock) {
    this.#token = token
    this.#elapsed = elapsed
  }

  /** Forwards a request to the replica that holds the tenant's link. */
  async forward(
    address: ReplicaAddress,
    tenant: { readonly project: string; readonly name: string },
    request: ForwardRequest,
  ): Promise<ForwardAnswer> {
    const token = this.#token()
    if (token === undefined) throw serviceUnavailable('the replicas of the platform do not know each other yet')
    const headers = relayedHeaders(request.headers, token)
    const url = relayPath(tenant.project, tenant.name, request.url)
    for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
      const free = this.#live(address.url).find(({ streams }) => streams.count < streamsPerSession)
      // The stream is counted synchronously, before other requests that wait for the connection look at it.
      if (free !== undefined) return free.streams.counted(forwardOverHttp2(free.session, { ...request, url, headers }))
      await this.#another(address)
    }
    throw serviceUnavailable('the replica of the platform that holds the link is overloaded', 1)
  }

  close(): void {
    for (const sessions of this.#sessions.values()) for (const { socket } of sessions) socket.destroy()
  }

  #live(url: string): readonly OpenSession[] {
    return (this.#sessions.get(url) ?? []).filter(({ session }) => !session.closed && !session.destroyed)
  }

  /** Resolves when one more connection is open. Concurrent callers share a single attempt. */
  #another(address: ReplicaAddress): Promise<void> {
    const { url } = address
    const opening = this.#opening.get(url) ?? this.#open(address).finally(() => this.#opening.delete(url))
    this.#opening.set(url, opening)
    return opening
  }

  async #open(address: ReplicaAddress): Promise<void> {
    const { url } = address
    const socket = await openPinned(address)
    const opened = { session: sessionOn(socket, url, this.#elapsed), socket, streams: new OpenStreams() }
    this.#sessions.set(url, [...this.#live(url), opened])
  }
}

/**
 * A replica that has frozen, or whose machine is gone, closes nothing: without the watch, streams would wait for it
 * forever, and so would new requests once a replica returns to its address.
 */
function sessionOn(socket: Socket, url: string, elapsed: Clock): ClientHttp2Session {
  const session = connect(url, { createConnection: () => socket, settings: { enablePush: false } })
  const peer = new PeerWatch({ session, elapsed, onSilence: () => socket.destroy() })
  session.on('error', () => socket.destroy()).once('close', () => peer.stop())
  return session
}

/** The store names the certificate that the replica shows, so no authority needs to vouch for it. */
async function openPinned({ url, fingerprint: text }: ReplicaAddress): Promise<Socket> {
  const fingerprint = readFingerprint(text) ?? text
  const trust = { mode: 'fingerprint', fingerprint } as const
  try {
    return await openConnection({ url: new URL(url), trust, env: {}, connectTimeoutMs, protocol: 'h2' })
  } catch (error) {
    const reason = errorText(error)
    throw serviceUnavailable(`the replica of the platform that holds the link is away: ${reason}`)
  }
}
