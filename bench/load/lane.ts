/** Carries one request at a time: a connection, or one of its streams. */
export interface Lane<Request> {
  /** The answer is valid only during the call. */
  send(request: Request, onAnswer: (answer: { readonly status: number }) => void): void
  close(): void
}

/** A request for a client's library. */
export interface Asked {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** JSON. */
  readonly body?: string
}
