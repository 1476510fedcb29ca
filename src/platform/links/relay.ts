import { type ClientHttp2Session, connect } from 'node:http2'
import type { Socket } from 'node:net'
import { serviceUnavailable } from '../../api/error.ts'
import { openConnection } from '../../client/connection/connect.ts'
import { readFingerprint } from '../../client/connection/fingerprint.ts'
import type { ForwardAnswer, ForwardRequest } from '../../client/forward/contract.ts'
import { OpenStreams } from '../../client/forward/open-streams.ts'
import { forwardOverHttp2 } from '../../client/forward/over-http2.ts'
import { relayedHeaders, relayPath } from './relay-wire.ts'
import type { ReplicaAddress } from './replica-lease.ts'

const connectTimeoutMs = 3_000
/** A server takes so many streams on one connection; before that another one is opened. */
const streamsPerSession = 200

interface OpenSession {
  readonly session: ClientHttp2Session
  readonly socket: Socket
  readonly streams: OpenStreams
}

/** Connections to the other replicas, opened when they are needed. */
export class Relay {
  readonly #sessions = new Map<string, OpenSession[]>()
  readonly #token: () => string | undefined

  constructor(token: () => string | undefined) {
    this.#token = token
  }

  /** Passes a request for a tenant on to the replica that holds its link. */
  async forward(
    address: ReplicaAddress,
    tenant: { readonly project: string; readonly name: string },
    request: ForwardRequest,
  ): Promise<ForwardAnswer> {
    const token = this.#token()
    if (token === undefined) throw serviceUnavailable('the replicas of the platform do not know each other yet')
    const open = await this.#session(address)
    const headers = relayedHeaders(request.headers, token)
    const url = relayPath(tenant.project, tenant.name, request.url)
    return open.streams.counted(forwardOverHttp2(open.session, { ...request, url, headers }))
  }

  close(): void {
    for (const sessions of this.#sessions.values()) for (const { socket } of sessions) socket.destroy()
  }

  async #session(address: ReplicaAddress): Promise<OpenSession> {
    const known = (this.#sessions.get(address.url) ?? []).filter(({ session }) => !session.closed && !session.destroyed)
    const free = known.find(({ streams }) => streams.count < streamsPerSession)
    if (free !== undefined) return free
    const socket = await openPinned(address)
    const opened = { session: sessionOn(socket, address.url), socket, streams: new OpenStreams() }
    this.#sessions.set(address.url, [...known, opened])
    return opened
  }
}

function sessionOn(socket: Socket, url: string): ClientHttp2Session {
  const session = connect(url, { createConnection: () => socket, settings: { enablePush: false } })
  session.on('error', () => socket.destroy())
  return session
}

/** The store says which certificate the replica shows, so no authority has to vouch for it. */
async function openPinned({ url, fingerprint: text }: ReplicaAddress): Promise<Socket> {
  const fingerprint = readFingerprint(text) ?? text
  const trust = { mode: 'fingerprint', fingerprint } as const
  try {
    return await openConnection({ url: new URL(url), trust, env: {}, connectTimeoutMs, protocol: 'h2' })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw serviceUnavailable(`the replica of the platform that holds the link is away: ${reason}`)
  }
}
