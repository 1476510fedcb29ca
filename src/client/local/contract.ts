import type { IncomingHttpHeaders } from 'node:http'

/** An API server of this very process, asked without a connection. It does with a request what it does with any other. */
export interface LocalServer {
  /** Rejects with the reason of the signal, or with ConnectionError when the server takes no more requests. */
  ask(request: LocalAsked): Promise<LocalAnswer>
}

export interface LocalAsked {
  readonly method: string
  /** Path and query. */
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: Buffer | undefined
  /** Gives the request up, or the answer while it is read. */
  readonly signal: AbortSignal | undefined
}

export interface LocalAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** All of it, or as it comes: a reader that stops reading holds back the server. */
  readonly body: Buffer | AsyncIterable<Buffer>
  /** The body is not wanted, or not to its end. Who has begun to read it need not say so. */
  leave(): void
}
