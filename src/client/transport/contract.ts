import type { HttpAnswer } from '../answer-body.ts'
import type { AnswerSink } from '../pool/collected-answer.ts'
import type { HttpMethod } from './retry.ts'
import type { StreamedAnswer } from './streamed-answer.ts'

export interface TransportRequest {
  readonly method: HttpMethod
  /** Absolute, with its query. */
  readonly path: string
  /** Defaults to JSON. */
  readonly accept?: string
  readonly contentType?: string
  readonly body?: string
  /** The trace span of the request. */
  readonly traceparent?: string
  /** Limit of the answer; by default that of one object. */
  readonly maxBytes?: number
  /** Creates the reader for the body of a 200, anew for every attempt. Absent: the body is in the answer. */
  readonly into?: () => AnswerSink
}

/**
 * HTTP to one cluster as one user. Failures on the way are thrown as ConnectionError, answers of any status returned.
 */
export interface Transport {
  readonly origin: string
  /** Retried if that is safe and makes sense. */
  send(request: TransportRequest, signal?: AbortSignal): Promise<HttpAnswer>
  /** For an answer without an end. Not retried: its reader knows where to continue. */
  open(request: TransportRequest, signal: AbortSignal): Promise<StreamedAnswer>
  close(): void
}

/** Sends requests to one cluster, once each, with the current credentials. */
export interface ClusterRequests {
  /** Returns the complete answer. */
  send(request: TransportRequest, signal?: AbortSignal): Promise<HttpAnswer>
  /** Returns an answer that is read as it arrives. */
  open(request: TransportRequest, signal: AbortSignal): Promise<StreamedAnswer>
  close(): void
}
