import http from 'node:http'
import http2 from 'node:http2'
import zlib from 'node:zlib'
import { after, before } from './patch-method.ts'
import { type AnswerPlace, type Asked, askedFor } from './place.ts'
import type { Watcher } from './watcher.ts'

/**
 * Sees the answers of the servers of this process, over any protocol, and their requests. The sockets of HTTP/1.1 show
 * all data as it is sent; those of HTTP/2 belong to Node, so its streams are watched instead.
 */
export function watchServers(watcher: Watcher): void {
  const watchServer = (server: object) =>
    before(server, 'emit', (_, [event, first, second]) =>
      watcher.safely(() => {
        if (event === 'connection' && server instanceof http.Server) watchSocket(watcher, objectOf(first))
        if (event === 'secureConnection') watchSocket(watcher, objectOf(first))
        if (event === 'request' || event === 'upgrade' || event === 'checkContinue') noteRequest(objectOf(first))
        if (event === 'stream') watchStream(watcher, objectOf(first), askedIn(objectOf(second)))
      }),
    )
  after(http2, 'createSecureServer', (server) => watchServer(objectOf(server)))
  after(http, 'createServer', (server) => watchServer(objectOf(server)))
  after(http2, 'performServerHandshake', (session) => watchLink(watcher, objectOf(session)))
  after(zlib, 'createGzip', (gzip) => {
    const look = watcher.follow(() => ({ at: 'compressed answer' }))
    before(objectOf(gzip), 'write', (_, [chunk]) => look(chunk))
  })
}

/** The last request on a socket of HTTP/1.1. */
const lastAsked = new WeakMap<object, AnswerPlace>()
const nothingYet: AnswerPlace = { at: 'answer', method: '', path: 'before any request' }
const protobufType = 'application/vnd.kubernetes.protobuf'
const protobufHead = new RegExp(`^HTTP/1\\.1 2[^]*?\\r\\ncontent-type: ${protobufType}[;\\r]`, 'i')

function watchSocket(watcher: Watcher, socket: object): void {
  if (Reflect.get(socket, 'alpnProtocol') === 'h2' || lastAsked.has(socket)) return
  lastAsked.set(socket, nothingYet)
  const look = watcher.follow(() => lastAsked.get(socket) ?? nothingYet)
  before(socket, 'write', (_, [chunk]) => {
    watcher.safely(() => noteForm(socket, chunk))
    look(chunk)
  })
  before(socket, 'end', (_, [chunk]) => look(chunk))
}

/** The head of an answer is written first. */
function noteForm(socket: object, chunk: unknown): void {
  const asked = lastAsked.get(socket)
  if (asked === undefined || asked.isProtobuf !== undefined) return
  const text = typeof chunk === 'string' || chunk instanceof Uint8Array ? Buffer.from(chunk).toString('latin1') : ''
  if (!text.startsWith('HTTP/1.1 1')) lastAsked.set(socket, { ...asked, isProtobuf: protobufHead.test(text) })
}

function noteRequest(request: object): void {
  const asked = askedFor(Reflect.get(request, 'method'), Reflect.get(request, 'url'))
  lastAsked.set(objectOf(Reflect.get(request, 'socket')), { at: 'answer', ...asked })
}

const watchedStreams = new WeakSet<object>()

function watchStream(watcher: Watcher, stream: object, asked: Asked): void {
  if (watchedStreams.has(stream)) return
  watchedStreams.add(stream)
  let place: AnswerPlace = { at: 'answer', ...asked }
  const look = watcher.follow(() => place)
  before(stream, 'respond', (_, [head]) =>
    watcher.safely(() => {
      look(JSON.stringify(head))
      place = { ...place, isProtobuf: isProtobuf(Object(head)) }
    }),
  )
  before(stream, 'write', (_, [chunk]) => look(chunk))
  before(stream, 'end', (_, [chunk]) => look(chunk))
}

function isProtobuf(head: object): boolean {
  return String(Reflect.get(head, 'content-type')).split(';', 1)[0] === protobufType
}

/** Over a link the platform sends requests and the tenant answers. A tenant must not see the keys of callers. */
function watchLink(watcher: Watcher, session: object): void {
  before(session, 'emit', (_, [event, stream, headers]) =>
    watcher.safely(() => {
      if (event !== 'stream') return
      const asked = askedIn(objectOf(headers))
      const look = watcher.follow(() => ({ at: 'call over a link', ...asked }))
      look(JSON.stringify(headers))
      before(objectOf(stream), 'push', (_stream, [chunk]) => look(chunk))
      watchStream(watcher, objectOf(stream), asked)
    }),
  )
}

function askedIn(headers: object): Asked {
  return askedFor(Reflect.get(headers, ':method'), Reflect.get(headers, ':path'))
}

function objectOf(value: unknown): object {
  if (typeof value === 'object' && value !== null) return value
  throw new Error(`an object was expected, not ${typeof value}`)
}
