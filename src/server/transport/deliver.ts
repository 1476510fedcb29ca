import { annotationsHeader } from '../../api/link.ts'
import { printAnnotations } from '../audit-annotations.ts'
import type { Exchange } from '../exchange.ts'
import type { Output, Pieces, Response } from '../http.ts'
import { endsWithHead, hasNoLength } from '../responses/bodyless.ts'
import { warningHeaders } from '../responses/warnings.ts'
import type { Channel } from './channel.ts'
import { acceptsGzip, gzipped } from './gzip.ts'
import { withoutLength } from './length.ts'

const compressFrom = 128 * 1024
/** A body is written in parts of this size, each after the receiver has taken the previous one. */
const partBytes = 256 * 1024
/** For strangers, who may open thousands of connections and read from none: what is written and not taken waits here. */
const strangersPartBytes = 32 * 1024

/** Sends a response: adds common headers, compresses large bodies and waits for slow readers. */
export function deliver(exchange: Exchange, response: Response, channel: Channel): void {
  const { status, body } = response
  const headers = commonHeaders(exchange, response)
  if (!Buffer.isBuffer(body) && body.form === 'upgrade') {
    if (channel.upgrade === undefined) throw new Error('The client did not ask to upgrade this connection.')
    channel.upgrade(status, headers, body)
  } else if (endsWithHead(exchange.request.method, status)) {
    channel.send(status, headOf(response, headers), undefined)
  } else if (Buffer.isBuffer(body)) {
    sendBuffer(exchange, status, headers, body, channel)
  } else if (body.form === 'stream') {
    body.start(channel.open(status, headers))
  } else {
    sendPieces(exchange, status, headers, body, channel)
  }
}

function commonHeaders(exchange: Exchange, { headers }: Response): string[] {
  const { auditId, warnings, annotations, request, endsConnection } = exchange
  const all = ['Audit-Id', auditId, ...headers]
  if (endsConnection && request.httpVersion === '1') all.push('Connection', 'close')
  if (warnings.length > 0) for (const value of warningHeaders(warnings)) all.push('Warning', value)
  if (annotations !== undefined && request.peer.takesAnnotations)
    all.push(annotationsHeader, printAnnotations(annotations))
  return all
}

/** A head without a body may state the length that the body would have. */
function headOf({ status, body }: Response, headers: string[]): string[] {
  if (status === 205) return [...withoutLength(headers), 'Content-Length', '0']
  if (hasNoLength(status)) return withoutLength(headers)
  if (status !== 304 && Buffer.isBuffer(body)) headers.push('Content-Length', String(body.length))
  return headers
}

function sendBuffer(exchange: Exchange, status: number, headers: string[], body: Buffer, channel: Channel): void {
  if (body.length > compressFrom && !isCompressed(headers) && acceptsGzip(exchange.request)) {
    sendGzipped(status, headers, [body], channel)
    return
  }
  headers.push('Content-Length', String(body.length))
  const size = exchange.flow?.level === 'strangers' ? strangersPartBytes : partBytes
  if (body.length <= size) channel.send(status, headers, body)
  else pump(partsOf(body, size), channel.open(status, headers))
}

function* partsOf(body: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size)
}

function isCompressed(headers: readonly string[]): boolean {
  return headers.includes('Content-Encoding')
}

function sendPieces(exchange: Exchange, status: number, headers: string[], body: Pieces, channel: Channel): void {
  if (acceptsGzip(exchange.request)) {
    sendGzipped(status, headers, body.pieces, channel)
    return
  }
  if (body.byteLength !== undefined) headers.push('Content-Length', String(body.byteLength))
  pump(body.pieces, channel.open(status, headers))
}

function sendGzipped(status: number, headers: string[], pieces: Pieces['pieces'], channel: Channel): void {
  headers.push('Content-Encoding', 'gzip', 'Vary', 'Accept-Encoding')
  pump(gzipped(pieces), channel.open(status, headers))
}

/** Never holds more than one piece that the receiver has not taken. */
async function pump(pieces: Pieces['pieces'], output: Output): Promise<void> {
  try {
    for await (const piece of pieces) {
      if (output.isGone) return
      if (!output.write(piece)) await output.drained()
    }
    output.end()
  } catch {
    output.destroy()
  }
}
