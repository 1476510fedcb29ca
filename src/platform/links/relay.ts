import { type ClientHttp2Session, connect } from 'node:http2'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { serviceUnavailable } from '../../api/error.ts'
import type { ForwardAnswer, ForwardRequest } from '../../client/forward/contract.ts'
import { streamOf } from '../../client/forward/give-up.ts'
import { forwardOverHttp2 } from '../../client/forward/over-http2.ts'
import { relayedHeaders, relayPath } from './relay-wire.ts'
import type { ReplicaAddress } from './replica-lease.ts'

const connectTimeoutMs = 3_000
/** A server takes so many streams on one connection; before that another one is opened. */
const streamsPerSession = 900

interface OpenSession {
  readonly session: ClientHttp2Session
  readonly socket: TLSSocket
  streams: number
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
    open.streams += 1
    const release = () => {
      open.streams -= 1
    }
    const headers = relayedHeaders(request.headers, token)
    const url = relayPath(tenant.project, tenant.name, request.url)
    try {
      const answer = await forwardOverHttp2(open.session, { ...request, url, headers })
      const stream = streamOf(answer)
      if (stream === undefined || stream.closed) release()
      else stream.once('close', release)
      return answer
    } catch (error) {
      release()
      throw error
    }
  }

  close(): void {
    for (const sessions of this.#sessions.values()) for (const { socket } of sessions) socket.destroy()
  }

  async #session(address: ReplicaAddress): Promise<OpenSession> {
    const known = (this.#sessions.get(address.url) ?? []).filter(({ session }) => !session.closed && !session.destroyed)
    const free = known.find(({ streams }) => streams < streamsPerSession)
    if (free !== undefined) return free
    const socket = await openPinned(address)
    const opened = { session: sessionOn(socket, address.url), socket, streams: 0 }
    this.#sessions.set(address.url, [...known, opened])
    return opened
  }
}

function sessionOn(socket: TLSSocket, url: string): ClientHttp2Session {
  const session = connect(url, { createConnection: () => socket, settings: { enablePush: false } })
  session.on('error', () => socket.destroy())
  return session
}

/** The store says which certificate the replica shows, so no authority has to vouch for it. */
function openPinned({ url, fingerprint }: ReplicaAddress): Promise<TLSSocket> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connectTls({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port === '' ? 443 : port),
      ALPNProtocols: ['h2'],
      rejectUnauthorized: false,
    })
    const fail = (reason: string) => {
      socket.destroy()
      reject(serviceUnavailable(`the replica of the platform that holds the link cannot be reached: ${reason}`))
    }
    const timer = setTimeout(() => fail('no answer in time'), connectTimeoutMs)
    socket.once('close', () => clearTimeout(timer))
    socket.on('error', ({ message }) => fail(message))
    socket.once('secureConnect', () => {
      clearTimeout(timer)
      if (socket.getPeerCertificate().fingerprint256 !== fingerprint) fail('it shows another certificate')
      else resolve(socket)
    })
  })
}
