import type { IncomingHttpHeaders } from 'node:http'

/** An API server of this process, used without a connection. It handles a request like any other. */
export interface LocalServer {
  /** Rejects with the reason of the signal, or with ConnectionError when the server accepts no more requests. */
  ask(request: LocalAsked): Promise<LocalAnswer>
}

export interface LocalAsked {
  readonly method: string
  /** Path and query. */
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: Buffer | undefined
  /** Cancels the request, or the answer while it is read. */
  readonly signal: AbortSignal | undefined
}

export interface LocalAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Complete, or as it arrives: a reader that stops reading holds back the server. */
  readonly body: Buffer | AsyncIterable<Buffer>
  /** The body, or the rest of it, is not needed. Not required once reading has begun. */
  leave(): void
}
