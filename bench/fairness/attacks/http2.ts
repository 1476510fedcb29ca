import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from 'node:http2'
import type { Ground } from '../contract.ts'

export interface Streams {
  readonly sessions: number
  readonly streamsEach: number
  /** Absent for strangers. */
  readonly token?: string
  readonly head: (count: number) => OutgoingHttpHeaders
  /** Absent: there is none. `silent`: it never arrives. */
  readonly body?: string | 'silent'
}

/**
 * Keeps that many streams running on that many connections, restarting each when it ends. Closed connections are
 * reopened.
 */
export function keepStreaming(ground: Ground, streams: Streams): void {
  for (let index = 0; index < streams.sessions; index++) openSession(ground, streams)
}

let count = 0

function openSession(ground: Ground, streams: Streams): void {
  // Passed on to the socket: a different address from that of the measuring client.
  const options = { ca: ground.authority, localAddress: '127.0.0.2' }
  const session = connect(`https://127.0.0.1:${ground.port}`, options)
  session.setMaxListeners(0)
  session.on('error', () => {}).on('goaway', () => {})
  session.once('close', () => setImmediate(() => openSession(ground, streams)))
  session.once('connect', () => {
    for (let stream = 0; stream < streams.streamsEach; stream++) begin(session, streams)
  })
}

function begin(session: ClientHttp2Session, streams: Streams): void {
  if (session.destroyed || session.closed) return
  count += 1
  const { token, head, body } = streams
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const stream = session.request({ ...authorization, ...head(count) }, { endStream: body === undefined })
  stream.on('error', () => {}).resume()
  stream.once('close', () => setImmediate(() => begin(session, streams)))
  if (body !== undefined && body !== 'silent') stream.end(body)
}
