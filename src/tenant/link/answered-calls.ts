import type { IncomingHttpHeaders } from 'node:http'
import { constants, type ServerHttp2Stream } from 'node:http2'
import type { Duplex } from 'node:stream'
import { encodeFrame, type Frame, FrameReader, maxFrameBytes } from '../../client/forward/calls/frame.ts'
import { FrameWriter } from '../../client/forward/calls/frame-writer.ts'
import { askHead, carriedHeaders } from '../../client/forward/calls/head.ts'
import { http2Headers } from '../../client/forward/http2-headers.ts'
import { mayRepeat } from '../../client/forward/repeats.ts'
import type { CallReply } from '../../server/transport/incoming-call.ts'
import type { LinkCall } from './contract.ts'

export interface AnsweredCallsOptions {
  readonly stream: Duplex
  readonly serve: (call: LinkCall, reply: CallReply) => () => void
  readonly onBegin: () => void
  readonly onEnd: () => void
}

interface OpenCall {
  giveUp(): void
  /** Set once the answer waits for a stream. */
  send?: (stream: ServerHttp2Stream) => void
}

/** When the platform is so far behind, answers wait until they are fetched. */
const maxWaitingBytes = 1024 * 1024

/** The side of the calls that answers. */
export class AnsweredCalls {
  readonly #options: AnsweredCallsOptions
  readonly #writer: FrameWriter
  readonly #open = new Map<number, OpenCall>()

  constructor(options: AnsweredCallsOptions) {
    this.#options = options
    this.#writer = new FrameWriter(options.stream)
    const reader = new FrameReader()
    options.stream.on('data', (chunk: Buffer) => {
      try {
        for (const frame of reader.read(chunk)) this.#take(frame)
      } catch {
        options.stream.destroy()
      }
    })
    options.stream.once('close', () => {
      for (const call of [...this.#open.keys()]) this.#giveUp(call)
    })
  }

  /** The platform fetches an answer that was none for a frame. */
  sendOn(id: string, stream: ServerHttp2Stream): void {
    const call = Number(id)
    const send = this.#open.get(call)?.send
    if (send === undefined) {
      stream.close(constants.NGHTTP2_CANCEL)
      return
    }
    this.#open.delete(call)
    stream.once('close', this.#options.onEnd)
    send(stream)
  }

  #take({ type, call, head, body }: Frame): void {
    if (type === 'cancel') this.#giveUp(call)
    if (type !== 'ask' || this.#open.has(call)) return
    const asked = askHead(head)
    if (asked === undefined) throw new Error('A call asks for nothing.')
    const { method, url, headers: rawHeaders } = asked
    const open: OpenCall = { giveUp: () => {} }
    this.#open.set(call, open)
    this.#options.onBegin()
    open.giveUp = this.#options.serve(
      { method, url, rawHeaders, headers: byName(rawHeaders), body },
      this.#reply(call, open),
    )
  }

  #reply(call: number, open: OpenCall): CallReply {
    return {
      whole: (status, headers, body) => {
        if (this.#open.get(call) !== open) return
        const flat = carriedHeaders(headers)
        const frame = encodeFrame('answer', call, { status, headers: flat }, body)
        if (frame.length > maxFrameBytes || this.#writer.waitingBytes > maxWaitingBytes) {
          this.#hold(call, open, (stream) => {
            stream.respond({ ...http2Headers(flat), ':status': status })
            stream.end(body)
          })
          return
        }
        this.#writer.write(frame)
        this.#over(call)
      },
      onStream: (send) => {
        if (this.#open.get(call) === open) this.#hold(call, open, send)
      },
    }
  }

  #hold(call: number, open: OpenCall, send: (stream: ServerHttp2Stream) => void): void {
    open.send = send
    this.#writer.write(encodeFrame('elsewhere', call))
  }

  #giveUp(call: number): void {
    const open = this.#open.get(call)
    if (open === undefined) return
    this.#over(call)
    open.giveUp()
  }

  #over(call: number): void {
    this.#open.delete(call)
    this.#options.onEnd()
  }
}

/** As Node gives them: of those that may not repeat, the first counts. */
function byName(flat: readonly string[]): IncomingHttpHeaders {
  const headers: Record<string, string> = Object.create(null)
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const name = flat[index] ?? ''
    const value = flat[index + 1] ?? ''
    const before = headers[name]
    if (before === undefined) headers[name] = value
    else if (mayRepeat(name)) headers[name] = `${before}, ${value}`
  }
  return headers
}
