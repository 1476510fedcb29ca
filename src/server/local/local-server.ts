import type { IncomingHttpHeaders } from 'node:http'
import { ConnectionError } from '../../client/connection/connection-error.ts'
import type { LocalAnswer, LocalAsked, LocalServer } from '../../client/local/contract.ts'
import type { AnswerRequest } from '../answers/answer.ts'
import type { Peer } from '../http.ts'
import type { Channel } from '../transport/channel.ts'
import { deliver } from '../transport/deliver.ts'
import { LocalOutput } from './local-output.ts'
import { LocalRequest } from './local-request.ts'

/** As if the client came over loopback. */
const peer: Peer = { remoteAddress: '127.0.0.1', localAddress: '127.0.0.1', certificateSubject: undefined }

/** Accepts requests of this process: the same answers as over a connection, without one. */
export class LocalConnections implements LocalServer {
  readonly #answer: AnswerRequest
  readonly #open = new Set<LocalExchange>()
  #isClosing = false
  #whenOver = () => {}

  constructor(answer: AnswerRequest) {
    this.#answer = answer
  }

  ask(asked: LocalAsked): Promise<LocalAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#isClosing) throw new ConnectionError('the server was stopped', { nothingSent: true })
      asked.signal?.throwIfAborted()
      const exchange = new LocalExchange(asked, { resolve, reject, onOver: () => this.#forget(exchange) })
      this.#open.add(exchange)
      this.#answer(exchange.request, (served, response) => deliver(served, response, exchange))
    })
  }

  /** Accepts no more requests and waits for those under way, within a limit. */
  async close(withinMs: number): Promise<void> {
    this.#isClosing = true
    if (this.#open.size === 0) return
    const over = new Promise<void>((resolve) => {
      this.#whenOver = resolve
    })
    const deadline = setTimeout(() => this.#cutAll(), withinMs)
    await over
    clearTimeout(deadline)
  }

  #cutAll(): void {
    for (const exchange of this.#open) exchange.cut()
  }

  #forget(exchange: LocalExchange): void {
    this.#open.delete(exchange)
    if (this.#isClosing && this.#open.size === 0) this.#whenOver()
  }
}

interface Outcome {
  readonly resolve: (answer: LocalAnswer) => void
  readonly reject: (reason: unknown) => void
  readonly onOver: () => void
}

/** One request, until its answer is complete or the client no longer waits. */
class LocalExchange implements Channel {
  readonly request: LocalRequest
  readonly #signal: AbortSignal | undefined
  readonly #outcome: Outcome
  #output: LocalOutput | undefined

  constructor(asked: LocalAsked, outcome: Outcome) {
    this.request = new LocalRequest(asked, peer)
    this.#signal = asked.signal
    this.#outcome = outcome
    this.#signal?.addEventListener('abort', this.#giveUp)
  }

  /** Also called when an answer that has begun cannot continue: its reader then gets an error. */
  send(status: number, headers: string[], body: Buffer | undefined): void {
    if (this.#output !== undefined) {
      this.#output.destroy()
      return
    }
    this.#outcome.resolve({ status, headers: headersIn(headers), body: body ?? Buffer.alloc(0), leave: () => {} })
    this.#over()
  }

  open(status: number, headers: string[]): LocalOutput {
    const output = new LocalOutput(() => this.#over())
    this.#output = output
    if (this.request.isGone) output.leave()
    const body = output.read(this.#signal)
    this.#outcome.resolve({ status, headers: headersIn(headers), body, leave: () => output.leave() })
    return output
  }

  cut(): void {
    this.#outcome.reject(new ConnectionError('the server was stopped before it answered'))
    if (this.#output === undefined) this.#over()
    else this.#output.destroy()
  }

  readonly #giveUp = (): void => {
    this.#outcome.reject(this.#signal?.reason)
    if (this.#output === undefined) this.#over()
    else this.#output.leave()
  }

  #over(): void {
    this.#signal?.removeEventListener('abort', this.#giveUp)
    this.request.end()
    this.#outcome.onOver()
  }
}

function headersIn(flat: readonly string[]): IncomingHttpHeaders {
  const headers: Record<string, string> = {}
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const name = (flat[index] ?? '').toLowerCase()
    const before = headers[name]
    const value = flat[index + 1] ?? ''
    headers[name] = before === undefined ? value : `${before}, ${value}`
  }
  return headers
}
