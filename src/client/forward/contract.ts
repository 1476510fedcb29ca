import type { Duplex, Readable } from 'node:stream'

/** A request to an API behind this process. */
export interface ForwardRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  /** Name, value, name, value …; names in lower case, without hop-by-hop headers. */
  readonly headers: readonly string[]
  readonly body: Readable | Buffer | undefined
  /** The protocol to switch to, such as `websocket`. */
  readonly upgrade: string | undefined
  /** Cancels the request while there is no answer. */
  readonly signal: AbortSignal
}

export type ForwardAnswer =
  /** Destroying the body discards the rest of it, on the other side too. */
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

/** A route to an API. Failures to reach it are thrown as ConnectionError. */
export interface Forwarder {
  forward(request: ForwardRequest): Promise<ForwardAnswer>
}
