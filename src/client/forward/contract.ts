import type { Duplex, Readable } from 'node:stream'

/** One request on its way to an API behind this process. */
export interface ForwardRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  /** Name, value, name, value …; names in lower case, and none that belongs to one connection only. */
  readonly headers: readonly string[]
  readonly body: Readable | Buffer | undefined
  /** The protocol to go on with, such as `websocket`. */
  readonly upgrade: string | undefined
  /** Gives the request up as long as there is no answer. */
  readonly signal: AbortSignal
}

export type ForwardAnswer =
  /** Destroying the body gives the rest of it up, on the other side too. */
  | {
      readonly form: 'answer'
      readonly status: number
      readonly headers: readonly string[]
      readonly body: Readable
    }
  | {
      readonly form: 'upgraded'
      readonly protocol: string
      readonly headers: readonly string[]
      readonly connection: Duplex
    }

/** A way to an API. What does not get there is thrown as ConnectionError. */
export interface Forwarder {
  forward(request: ForwardRequest): Promise<ForwardAnswer>
}
