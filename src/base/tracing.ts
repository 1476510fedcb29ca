/** One piece of work in a trace. */
export interface TraceSpan {
  /** What the next server is told, as the header of W3C Trace Context. */
  readonly traceparent: string
  /** `status`: of HTTP; absent if there was no answer. */
  end(name: string, attributes: TraceAttributes, status?: number): void
}

export type TraceAttributes = Readonly<Record<string, string | number>>

/** Where spans go. Nothing that is given to it may hold a secret. */
export interface Tracing {
  /** `parent`: the header that came with a request, of a sender that is believed. */
  start(kind: 'server' | 'client', parent?: string): TraceSpan
  /** Sends what is left, but does not wait for long. */
  stop(): Promise<void>
}
