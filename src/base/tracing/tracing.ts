/** One piece of work in a trace. */
export interface TraceSpan {
  /** What the next server receives, as a W3C Trace Context header. */
  readonly traceparent: string
  /** `status`: the HTTP status; absent if there was no response. */
  end(name: string, attributes: TraceAttributes, status?: number): void
}

export type TraceAttributes = Readonly<Record<string, string | number>>

/** Receives spans. Their names and attributes must not contain secrets. */
export interface Tracing {
  /** `parent`: the header that came with a request from a trusted sender. */
  start(kind: 'server' | 'client', parent?: string): TraceSpan
  /** Sends the remaining spans, but does not wait long. */
  stop(): Promise<void>
}
