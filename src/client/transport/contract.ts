import type { HttpAnswer } from '../answer-body.ts'
import type { AnswerSink } from '../pool/collected-answer.ts'
import type { HttpMethod } from './retry.ts'
import type { StreamedAnswer } from './streamed-answer.ts'

export interface TransportRequest {
  readonly method: HttpMethod
  /** Absolute, with its query. */
  readonly path: string
  /** JSON unless told. */
  readonly accept?: string
  readonly contentType?: string
  readonly body?: string
  /** The span that it is part of. */
  readonly traceparent?: string
  /** The longest answer that is read; that of one object unless told. */
  readonly maxBytes?: number
  /** Makes what reads the body of a 200 as it comes, anew for every attempt. Absent: it is in the answer. */
  readonly into?: () => AnswerSink
}

/** HTTP to one cluster as one user. Failures on the way are thrown as ConnectionError, answers of any status returned. */
export interface Transport {
  readonly origin: string
  /** Sent again where that is safe and makes sense. */
  send(request: TransportRequest, signal?: AbortSignal): Promise<HttpAnswer>
  /** For an answer without an end. Not retried: its reader knows where to continue. */
  open(request: TransportRequest, signal: AbortSignal): Promise<StreamedAnswer>
  close(): void
}

/** How requests get to one cluster, once each, with the credentials of the moment. */
export interface ClusterRequests {
  /** The whole answer. */
  send(request: TransportRequest, signal?: AbortSignal): Promise<HttpAnswer>
  /** An answer that is read as it comes. */
  open(request: TransportRequest, signal: AbortSignal): Promise<StreamedAnswer>
  close(): void
}
