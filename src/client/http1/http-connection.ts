import type { Socket } from 'node:net'
import { ConnectionError } from '../connection/connection-error.ts'
import { connectionFailure } from '../connection/connection-failure.ts'
import type { AnswerHead } from './answer-head.ts'
import { AnswerParser } from './answer-parser.ts'

/** Whoever waits for an answer. One of `onEnd` and `onFailure` is the last that is called. */
export interface AnswerReceiver {
  /** Whether an answer that has begun, and is no refusal, may stop for as long as it likes. */
  readonly mayPause: boolean
  onHead(head: AnswerHead): void
  onData(bytes: Buffer): void
  onEnd(): void
  onFailure(error: unknown): void
}

export interface ConnectionOptions {
  readonly origin: string
  /** Until the first byte of an answer, and between two of its bytes. */
  readonly answerTimeoutMs: number
  /** How long a connection without a request is kept. */
  readonly keepAliveMs: number
}

export interface ConnectionOwner {
  /** It can take the next request. */
  onFree(connection: HttpConnection): void
  onClosed(connection: HttpConnection): void
}

/** One connection, with one request at a time. */
export class HttpConnection {
  readonly #socket: Socket
  readonly #options: ConnectionOptions
  readonly #owner: ConnectionOwner
  readonly #parser: AnswerParser
  #receiver: AnswerReceiver | undefined
  #head: AnswerHead | undefined

  constructor(socket: Socket, options: ConnectionOptions, owner: ConnectionOwner) {
    this.#socket = socket
    this.#options = options
    this.#owner = owner
    this.#parser = new AnswerParser({
      onHead: (head) => this.#onHead(head),
      onData: (bytes) => this.#receiver?.onData(bytes),
      onEnd: () => this.#onEnd(),
    })
    socket.on('data', (chunk: Buffer) => this.#onBytes(chunk))
    socket.on('end', () => this.#onLastByte())
    socket.on('timeout', () => this.#onSilence())
    socket.on('error', (error) => this.#fail(connectionFailure(options.origin, error)))
    socket.on('close', () => this.#onClose())
    this.#rest(options.keepAliveMs)
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed
  }

  /** The request as it goes over the line. */
  send(request: string, receiver: AnswerReceiver): void {
    if (!this.isOpen) {
      receiver.onFailure(cutError(this.#options.origin, { nothingSent: true }))
      return
    }
    this.#receiver = receiver
    this.#head = undefined
    this.#parser.expectAnswer()
    this.#socket.ref()
    this.#socket.setTimeout(this.#options.answerTimeoutMs)
    this.#socket.write(request)
  }

  /** Holds back the server until `resume`. */
  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  /** Whoever waits for an answer is told why there will be none. */
  destroy(reason: unknown): void {
    this.#fail(reason)
  }

  #onBytes(chunk: Buffer): void {
    try {
      if (this.#receiver === undefined) throw new ConnectionError('the server sent something that nobody asked for')
      this.#parser.read(chunk)
    } catch (error) {
      this.#fail(error)
    }
  }

  #onHead(head: AnswerHead): void {
    this.#head = head
    if (this.#receiver?.mayPause && head.status < 300) this.#socket.setTimeout(0)
    this.#receiver?.onHead(head)
  }

  /** Free before the answer is given: whoever gets it may have the next request. */
  #onEnd(): void {
    const receiver = this.#receiver
    this.#receiver = undefined
    const keepMs = Math.min(this.#head?.keepsOpenMs ?? 0, this.#options.keepAliveMs)
    // A server that answered before it had read all may never read the rest.
    if (keepMs > 0 && this.isOpen && this.#socket.writableLength === 0) {
      this.#rest(keepMs)
      this.#owner.onFree(this)
    } else this.#socket.destroy()
    receiver?.onEnd()
  }

  #rest(keepMs: number): void {
    this.#socket.resume()
    this.#socket.setTimeout(keepMs)
    // A connection that nobody needs is no reason for a process to go on.
    this.#socket.unref()
  }

  #onLastByte(): void {
    if (this.#receiver !== undefined && this.#parser.endsWithConnection()) this.#onEnd()
    else this.#socket.destroy()
  }

  #onSilence(): void {
    const { origin, answerTimeoutMs } = this.#options
    const seconds = answerTimeoutMs / 1000
    this.#fail(
      new ConnectionError(
        this.#head === undefined
          ? `${origin} gave no answer within ${seconds} s`
          : `${origin} stopped in the middle of an answer for ${seconds} s`,
      ),
    )
  }

  #onClose(): void {
    this.#fail(cutError(this.#options.origin))
    this.#owner.onClosed(this)
  }

  #fail(error: unknown): void {
    const receiver = this.#receiver
    this.#receiver = undefined
    this.#socket.destroy()
    receiver?.onFailure(error)
  }
}

export function cutError(origin: string, effect?: { readonly nothingSent: boolean }): ConnectionError {
  return new ConnectionError(`cannot reach ${origin}: the connection was cut`, effect)
}
