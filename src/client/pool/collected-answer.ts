import type { IncomingHttpHeaders } from 'node:http'
import { ByteCollector } from '../../base/byte-collector.ts'
import type { HttpAnswer } from '../answer-body.ts'
import { UnacceptableAnswer } from '../connection/connection-error.ts'

/** Reads an answer as it arrives, so that it is never in memory as a whole. */
export interface AnswerSink {
  take(bytes: Buffer): void
}

export interface CollectedOptions {
  readonly origin: string
  readonly maxBytes: number
  /** Creates the reader for the body of a 200. Absent: the body is collected. */
  readonly into?: (() => AnswerSink) | undefined
}

/** Error answers are meant for people, and short. */
export const maxRefusalBytes = 256 * 1024
const nothing = Buffer.alloc(0)

/** An answer while it arrives. Throws as soon as it is known to be unacceptable. */
export class CollectedAnswer {
  readonly #options: CollectedOptions
  readonly #body = new ByteCollector()
  #head: Pick<HttpAnswer, 'status' | 'headers'> = { status: 0, headers: {} }
  #sink: AnswerSink | undefined
  #maxBytes = 0
  #bytes = 0

  constructor(options: CollectedOptions) {
    this.#options = options
  }

  begin(status: number, headers: IncomingHttpHeaders): void {
    const { into, maxBytes, origin } = this.#options
    this.#head = { status, headers }
    this.#sink = status === 200 ? into?.() : undefined
    this.#maxBytes = status < 300 ? maxBytes : Math.min(maxBytes, maxRefusalBytes)
    if (isCompressed(headers)) throw new UnacceptableAnswer(`${origin} compressed an answer without being asked`)
    if (Number(headers['content-length'] ?? 0) > this.#maxBytes) throw answerTooLarge(origin, this.#maxBytes)
  }

  add(bytes: Buffer): void {
    this.#bytes += bytes.length
    if (this.#bytes > this.#maxBytes) throw answerTooLarge(this.#options.origin, this.#maxBytes)
    if (this.#sink === undefined) this.#body.add(bytes)
    else this.#sink.take(bytes)
  }

  whole(): HttpAnswer {
    return { ...this.#head, body: this.#sink === undefined ? this.#body.take() : nothing }
  }

  /** The error if it did not end in time. */
  late(timeoutMs: number): UnacceptableAnswer {
    return new UnacceptableAnswer(`${this.#options.origin} did not end its answer within ${timeoutMs / 1000} s`)
  }
}

function isCompressed({ 'content-encoding': encoding = 'identity' }: IncomingHttpHeaders): boolean {
  return encoding.trim().toLowerCase() !== 'identity'
}

function answerTooLarge(origin: string, maxBytes: number): UnacceptableAnswer {
  return new UnacceptableAnswer(`the answer of ${origin} is larger than ${maxBytes} bytes, the most that is read here`)
}
