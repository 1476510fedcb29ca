import type { HttpAnswer } from '../answer-body.ts'
import type { StreamedAnswer } from '../http1/streamed-answer.ts'
import type { Method } from './retry.ts'

export interface TransportRequest {
  readonly method: Method
  /** Absolute, with its query. */
  readonly path: string
  /** JSON unless told. */
  readonly accept?: string
  readonly contentType?: string
  readonly body?: string
}

/** HTTP to one cluster as one user. Failures on the way are thrown as ConnectionError, answers of any status returned. */
export interface Transport {
  readonly origin: string
  /** Sent again where that is safe and makes sense. */
  send(request: TransportRequest, signal?: AbortSignal): Promise<HttpAnswer>
  /** For an answer without an end. Not repeated: whoever reads it knows where to go on. */
  open(request: TransportRequest, signal: AbortSignal): Promise<StreamedAnswer>
  close(): void
}
