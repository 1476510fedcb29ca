import type { IncomingMessage, ServerResponse } from 'node:http'
import { Agent, createServer, request as send } from 'node:https'
import { ensureCertificates } from '../../../src/base/certificates/ensure.ts'
import { systemClock } from '../../../src/base/clock.ts'

/** The request for which a fault is chosen. */
export interface PassingRequest {
  readonly method: string
  /** Includes the query. */
  readonly path: string
  readonly isWatch: boolean
  /** The number of earlier requests with this method and path. */
  readonly count: number
}

export type RefusalStatus = 403 | 409 | 410 | 429 | 500 | 503

export type Fault =
  | { readonly kind: 'none' }
  /** Answered here; the server does not receive it. */
  | { readonly kind: 'refused'; readonly status: RefusalStatus }
  /** It is carried out, but later. */
  | { readonly kind: 'delayed'; readonly ms: number }
  /** It is carried out once the promise resolves. */
  | { readonly kind: 'held'; readonly until: Promise<void> }
  /** It is carried out, and the connection breaks before the answer. */
  | { readonly kind: 'answer lost' }
  /** It is not carried out, and the connection breaks. */
  | { readonly kind: 'request lost' }
  /** The connection breaks after this many bytes of the answer, whether or not an event ends there. */
  | { readonly kind: 'broken off'; readonly afterBytes: number }
  /** A watch receives, in its stream, the error that history is gone. */
  | { readonly kind: 'history lost' }

export interface FaultyHttps {
  readonly port: number
  /** PEM: the authority that clients must trust instead of the server's own. */
  readonly authority: string
  choose(faultOf: (request: PassingRequest) => Fault): void
  /** Ends the open watches. */
  dropWatches(): void
  /** The number of faults by kind. */
  readonly happened: ReadonlyMap<string, number>
  remove(): Promise<void>
}

export interface FaultyHttpsOptions {
  /** The directory of its certificate. */
  readonly directory: string
  readonly target: { readonly port: number; readonly authority: string }
}

const noFault = (): Fault => ({ kind: 'none' })

/** Stands between a client and an API server and misbehaves at the level of HTTP. */
export async function startFaultyHttps({ directory, target }: FaultyHttpsOptions): Promise<FaultyHttps> {
  const certificates = await ensureCertificates({ directory, name: 'faulty', names: [], clock: systemClock })
  const agent = new Agent({ keepAlive: true, ca: target.authority })
  const watches = new Set<ServerResponse>()
  const counts = new Map<string, number>()
  const happened = new Map<string, number>()
  let choose: (request: PassingRequest) => Fault = noFault
  const server = createServer({ key: certificates.key, cert: certificates.certificate }, (incoming, outgoing) => {
    const passing = describeRequest(incoming, counts)
    const fault = choose(passing)
    if (fault.kind !== 'none') count(happened, fault.kind)
    if (passing.isWatch) {
      watches.add(outgoing)
      outgoing.on('close', () => watches.delete(outgoing))
    }
    if (fault.kind === 'refused') refuse(incoming, outgoing, fault.status)
    else if (fault.kind === 'delayed') {
      setTimeout(() => forward({ incoming, outgoing, fault, agent, port: target.port }), fault.ms)
    } else if (fault.kind === 'held') {
      void fault.until.then(() => forward({ incoming, outgoing, fault, agent, port: target.port }))
    } else if (fault.kind === 'request lost') incoming.socket.destroy()
    else if (fault.kind === 'history lost') loseHistory(incoming, outgoing)
    else forward({ incoming, outgoing, fault, agent, port: target.port })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    authority: certificates.authority,
    choose: (faultOf) => {
      choose = faultOf
    },
    dropWatches: () => {
      for (const each of watches) each.destroy()
    },
    happened,
    remove: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      agent.destroy()
      await closed
    },
  }
}

function describeRequest({ method = '', url = '' }: IncomingMessage, counts: Map<string, number>): PassingRequest {
  const query = new URL(url, 'https://any').searchParams
  const isWatch = query.get('watch') === 'true' || query.get('watch') === '1'
  const seen = count(counts, `${method} ${isWatch ? url.split('?', 1)[0] : url}`) - 1
  return { method, path: url, isWatch, count: seen }
}

function count(counts: Map<string, number>, key: string): number {
  const next = (counts.get(key) ?? 0) + 1
  counts.set(key, next)
  return next
}

const reasons: Readonly<Record<RefusalStatus, string>> = {
  403: 'Forbidden',
  409: 'Conflict',
  410: 'Expired',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
}

function refuse(incoming: IncomingMessage, outgoing: ServerResponse, status: RefusalStatus): void {
  incoming.resume()
  const headers = { 'content-type': 'application/json', ...(status === 429 ? { 'retry-after': '1' } : {}) }
  outgoing.writeHead(status, headers).end(JSON.stringify(statusObject(status)))
}

function statusObject(code: RefusalStatus) {
  const message = `a fault that was injected: ${reasons[code]}`
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: reasons[code], message, code }
}

function loseHistory(incoming: IncomingMessage, outgoing: ServerResponse): void {
  incoming.resume()
  outgoing.writeHead(200, { 'content-type': 'application/json' })
  outgoing.end(`${JSON.stringify({ type: 'ERROR', object: statusObject(410) })}\n`)
}

interface Forwarding {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly fault: Fault
  readonly agent: Agent
  readonly port: number
}

function forward({ incoming, outgoing, fault, agent, port }: Forwarding): void {
  if (outgoing.destroyed) return
  const { method, url, headers } = incoming
  const passed = send({ host: '127.0.0.1', port, agent, method, path: url, headers }, (answer) => {
    if (fault.kind === 'answer lost') {
      answer.resume()
      return void answer.on('end', () => outgoing.destroy())
    }
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    outgoing.flushHeaders()
    let left = fault.kind === 'broken off' ? fault.afterBytes : Number.POSITIVE_INFINITY
    answer.on('data', (data: Buffer) => {
      outgoing.write(data.subarray(0, left))
      left -= data.length
      if (left <= 0) outgoing.destroy()
    })
    answer.on('end', () => outgoing.end())
    answer.on('close', () => (answer.complete ? undefined : outgoing.destroy()))
  })
  passed.on('error', () => outgoing.destroy())
  outgoing.on('close', () => passed.destroy())
  incoming.pipe(passed)
}
