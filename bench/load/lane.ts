/** Carries one request at a time: a connection, or one of the streams of a connection. */
export interface Lane<Request> {
  /** The answer may be looked at during the call only. */
  send(request: Request, onAnswer: (answer: { readonly status: number }) => void): void
  close(): void
}

/** A request as a client's library takes it. */
export interface Asked {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** JSON. */
  readonly body?: string
}
