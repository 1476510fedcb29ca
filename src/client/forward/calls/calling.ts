import type { Duplex } from 'node:stream'
import { ConnectionError } from '../../connection/connection-error.ts'
import type { ForwardAnswer, ForwardRequest } from '../contract.ts'
import { withoutRepeats } from '../repeats.ts'
import { encodeFrame, type Frame, FrameReader, maxFrameBytes } from './frame.ts'
import { FrameWriter } from './frame-writer.ts'
import { answerHead } from './head.ts'

/** When the other side is so far behind, calls wait for nobody: the request gets a stream of its own. */
const maxWaitingBytes = 1024 * 1024

interface OpenCall {
  readonly answer: (frame: Frame) => void
  readonly fail: (error: Error) => void
}

export interface CallingOptions {
  readonly stream: Duplex
  /** Fetches an answer that is too long for a frame. */
  readonly fetchElsewhere: (call: number, request: ForwardRequest) => Promise<ForwardAnswer>
}

/** The side that asks. */
export class Calling {
  readonly #options: CallingOptions
  readonly #writer: FrameWriter
  readonly #open = new Map<number, OpenCall>()
  #lastCall = 0

  constructor(options: CallingOptions) {
    this.#options = options
    this.#writer = new FrameWriter(options.stream)
    const reader = new FrameReader()
    options.stream.on('data', (chunk: Buffer) => {
      try {
        for (const frame of reader.read(chunk)) this.#open.get(frame.call)?.answer(frame)
      } catch {
        options.stream.destroy()
      }
    })
    options.stream.once('close', () => this.#failAll())
  }

  /** Undefined: the request is nothing for a call. */
  forward(request: ForwardRequest): Promise<ForwardAnswer> | undefined {
    if (!isForCall(request) || this.#options.stream.destroyed) return undefined
    if (this.#writer.waitingBytes > maxWaitingBytes) return undefined
    const call = this.#nextCall()
    const { method, url, headers, body } = request
    const frame = encodeFrame('ask', call, { method, url, headers }, Buffer.isBuffer(body) ? body : undefined)
    return frame.length > maxFrameBytes ? undefined : this.#ask(call, frame, request)
  }

  #ask(call: number, frame: Buffer, request: ForwardRequest): Promise<ForwardAnswer> {
    const { signal } = request
    return new Promise((resolve, reject) => {
      const cancel = () => {
        this.#writer.write(encodeFrame('cancel', call))
        fail(new ConnectionError('the request was given up'))
      }
      const over = () => {
        this.#open.delete(call)
        signal.removeEventListener('abort', cancel)
      }
      const fail = (error: Error) => {
        over()
        reject(error)
      }
      const answer = (frame: Frame) => {
        over()
        if (frame.type === 'elsewhere') resolve(this.#fetch(call, request))
        else resolveAnswer(frame, resolve, reject)
      }
      this.#open.set(call, { answer, fail })
      this.#writer.write(frame)
      if (signal.aborted) cancel()
      else signal.addEventListener('abort', cancel, { once: true })
    })
  }

  /** An answer that nobody fetches is not kept over there. */
  async #fetch(call: number, request: ForwardRequest): Promise<ForwardAnswer> {
    try {
      return await this.#options.fetchElsewhere(call, request)
    } catch (error) {
      this.#writer.write(encodeFrame('cancel', call))
      throw error
    }
  }

  #nextCall(): number {
    do this.#lastCall = (this.#lastCall + 1) % 2 ** 32
    while (this.#open.has(this.#lastCall))
    return this.#lastCall
  }

  #failAll(): void {
    for (const { fail } of [...this.#open.values()]) fail(new ConnectionError('the connection was cut'))
  }
}

/** Small and whole, and with an answer that ends by itself. What guesses wrong is still answered, elsewhere. */
function isForCall({ method, url, upgrade, body }: ForwardRequest): boolean {
  if (upgrade !== undefined || method === 'HEAD' || url.includes('watch')) return false
  return body === undefined || Buffer.isBuffer(body)
}

function resolveAnswer(
  { head, body }: Frame,
  resolve: (answer: ForwardAnswer) => void,
  reject: (error: Error) => void,
): void {
  const known = answerHead(head)
  if (known === undefined) reject(new ConnectionError('its answer is no answer of an API server'))
  else resolve({ form: 'whole', status: known.status, headers: withoutRepeats(known.headers), body })
}
