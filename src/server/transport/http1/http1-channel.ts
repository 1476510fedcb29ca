import type { ServerResponse } from 'node:http'
import type { Output } from '../../http.ts'
import type { Channel } from '../channel.ts'
import type { ConnectionContext } from '../connection.ts'
import { drainOf } from '../drain.ts'
import { lengthIn } from '../length.ts'
import type { Http1Request } from './http1-request.ts'

type ChannelContext = Pick<ConnectionContext, 'isClosing' | 'endAnswer'>

export class Http1Channel implements Channel {
  readonly #outgoing: ServerResponse
  readonly #request: Http1Request
  readonly #context: ChannelContext

  constructor(outgoing: ServerResponse, request: Http1Request, context: ChannelContext) {
    this.#outgoing = outgoing
    this.#request = request
    this.#context = context
  }

  send(status: number, headers: string[], body: Buffer | undefined): void {
    this.#outgoing.writeHead(status, this.#closingHeaders(headers))
    this.#context.endAnswer(this.#outgoing, body)
  }

  open(status: number, headers: string[]): Output {
    this.#outgoing.writeHead(status, this.#closingHeaders(headers))
    this.#outgoing.flushHeaders()
    return new Http1Output(this.#outgoing, lengthIn(headers), this.#context.isClosing)
  }

  #closingHeaders(headers: string[]): string[] {
    if (this.#context.isClosing() || this.#request.mustClose) headers.push('Connection', 'close')
    return headers
  }
}

/**
 * A body in parts. If it turns out longer or shorter than its head states, the connection is closed: extra bytes would
 * be read as the next answer, and missing ones would be taken from it.
 */
class Http1Output implements Output {
  readonly #outgoing: ServerResponse
  readonly #isClosing: () => boolean
  #missingBytes: number | undefined

  constructor(outgoing: ServerResponse, length: number | undefined, isClosing: () => boolean) {
    this.#outgoing = outgoing
    this.#missingBytes = length
    this.#isClosing = isClosing
  }

  get isGone(): boolean {
    return this.#outgoing.destroyed
  }

  write(chunk: Buffer): boolean {
    if (this.isGone) return true
    if (this.#missingBytes !== undefined) {
      this.#missingBytes -= chunk.length
      if (this.#missingBytes < 0) {
        this.destroy()
        return true
      }
    }
    return this.#outgoing.write(chunk)
  }

  drained(): Promise<void> {
    return drainOf(this.#outgoing)
  }

  /** The head may have promised to keep a connection that is no longer wanted. */
  end(): void {
    const { socket } = this.#outgoing
    if (this.isGone) return
    if (this.#missingBytes !== undefined && this.#missingBytes !== 0) this.destroy()
    else this.#outgoing.end(() => this.#isClosing() && socket?.end())
  }

  destroy(): void {
    this.#outgoing.destroy()
  }
}
