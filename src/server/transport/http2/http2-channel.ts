import { constants, type OutgoingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import type { Output } from '../../http.ts'
import type { Channel } from '../channel.ts'
import { drainOf } from '../drain.ts'
import { cutStream, resetStream } from './http2-endings.ts'

export class Http2Channel implements Channel {
  readonly #stream: ServerHttp2Stream

  constructor(stream: ServerHttp2Stream) {
    this.#stream = stream
  }

  send(status: number, headers: string[], body: Buffer | undefined): void {
    const stream = this.#stream
    if (stream.destroyed || stream.closed) return
    const isEmpty = body === undefined || body.length === 0
    closeWhenAnswered(stream)
    stream.respond(http2Headers(status, headers), { endStream: isEmpty })
    if (!isEmpty) stream.end(body)
  }

  open(status: number, headers: string[]): Output {
    const stream = this.#stream
    if (!stream.destroyed && !stream.closed) stream.respond(http2Headers(status, headers))
    return new Http2Output(stream)
  }
}

/** The rest of the body is no longer needed, and would keep its stream open. */
function closeWhenAnswered(stream: ServerHttp2Stream): void {
  if (stream.endAfterHeaders || stream.readableEnded) return
  stream.once('finish', () => resetStream(stream, constants.NGHTTP2_NO_ERROR))
}

/**
 * Has only its own members. An object without any prototype is a dictionary from the start, which is slower to fill and
 * read.
 */
class HeaderTable {
  readonly [name: string]: number | string | string[]
}
Object.setPrototypeOf(HeaderTable.prototype, null)
Reflect.deleteProperty(HeaderTable.prototype, 'constructor')

/** Names of headers that most answers have. */
const lowerNames: ReadonlyMap<string, string> = new Map(
  ['Audit-Id', 'Cache-Control', 'Content-Type', 'Content-Length', 'X-Content-Type-Options'].map((name) => [
    name,
    name.toLowerCase(),
  ]),
)

function http2Headers(status: number, headers: readonly string[]): OutgoingHttpHeaders {
  const all: Record<string, number | string | string[]> = new HeaderTable()
  all[':status'] = status
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const given = headers[index] ?? ''
    const name = lowerNames.get(given) ?? given.toLowerCase()
    const value = headers[index + 1] ?? ''
    const before = all[name]
    if (before === undefined) all[name] = value
    else all[name] = Array.isArray(before) ? [...before, value] : [String(before), value]
  }
  return all
}

class Http2Output implements Output {
  readonly #stream: ServerHttp2Stream

  constructor(stream: ServerHttp2Stream) {
    this.#stream = stream
  }

  get isGone(): boolean {
    return this.#stream.destroyed || this.#stream.closed
  }

  write(chunk: Buffer): boolean {
    return this.isGone || this.#stream.write(chunk)
  }

  drained(): Promise<void> {
    return drainOf(this.#stream)
  }

  end(): void {
    if (this.isGone || this.#stream.writableEnded) return
    closeWhenAnswered(this.#stream)
    this.#stream.end()
  }

  destroy(): void {
    cutStream(this.#stream)
  }
}
