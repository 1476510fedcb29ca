import type { Exchange } from '../exchange.ts'
import type { Output, Pieces, Response } from '../http.ts'
import { warningHeaders } from '../warnings.ts'
import type { Channel } from './channel.ts'
import { acceptsGzip, gzipped } from './gzip.ts'

const compressFrom = 128 * 1024

/** Sends a response: adds the headers that every answer carries, compresses what is large, waits for slow readers. */
export function deliver(exchange: Exchange, response: Response, channel: Channel): void {
  const { status, body } = response
  const headers = commonHeaders(exchange, response)
  if (status === 304) {
    channel.send(status, headers, undefined)
  } else if (Buffer.isBuffer(body)) {
    sendBuffer(exchange, status, headers, body, channel)
  } else if (exchange.request.method === 'HEAD') {
    channel.send(status, headers, undefined)
  } else if (body.form === 'stream') {
    body.start(channel.open(status, headers))
  } else if (body.form === 'upgrade') {
    if (channel.upgrade === undefined) throw new Error('A connection was to be upgraded that nobody asked to upgrade.')
    channel.upgrade(status, headers, body.start)
  } else {
    sendPieces(exchange, status, headers, body, channel)
  }
}

function commonHeaders({ auditId, warnings }: Exchange, { headers }: Response): string[] {
  const all = ['Audit-Id', auditId, ...headers]
  if (warnings.length > 0) for (const value of warningHeaders(warnings)) all.push('Warning', value)
  return all
}

function sendBuffer(exchange: Exchange, status: number, headers: string[], body: Buffer, channel: Channel): void {
  const isHead = exchange.request.method === 'HEAD'
  if (!isHead && body.length > compressFrom && !isCompressed(headers) && acceptsGzip(exchange.request)) {
    sendGzipped(status, headers, [body], channel)
    return
  }
  headers.push('Content-Length', String(body.length))
  channel.send(status, headers, isHead ? undefined : body)
}

function isCompressed(headers: readonly string[]): boolean {
  return headers.includes('Content-Encoding')
}

function sendPieces(exchange: Exchange, status: number, headers: string[], body: Pieces, channel: Channel): void {
  if (acceptsGzip(exchange.request)) {
    sendGzipped(status, headers, body.pieces, channel)
    return
  }
  headers.push('Content-Length', String(body.byteLength))
  pump(body.pieces, channel.open(status, headers))
}

function sendGzipped(status: number, headers: string[], pieces: Iterable<Buffer>, channel: Channel): void {
  headers.push('Content-Encoding', 'gzip', 'Vary', 'Accept-Encoding')
  pump(gzipped(pieces), channel.open(status, headers))
}

/** Never holds more than one piece that the receiver has not taken yet. */
async function pump(pieces: Iterable<Buffer> | AsyncIterable<Buffer>, output: Output): Promise<void> {
  try {
    for await (const piece of pieces) {
      if (!output.write(piece)) await output.drained()
    }
    output.end()
  } catch {
    output.destroy()
  }
}
