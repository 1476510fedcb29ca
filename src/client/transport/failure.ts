import { ConnectionError } from '../connection/connection-error.ts'
import { connectionFailure } from '../connection/connection-failure.ts'
import { KubeconfigError } from '../kubeconfig/contract.ts'
import type { TransportLimits } from './limits.ts'

/** What undici gives up for, in words for people. What the caller gave up for stays what it was. */
export function failureOf(error: unknown, origin: string, limits: TransportLimits, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason
  if (error instanceof ConnectionError || error instanceof KubeconfigError) return error
  const code = error instanceof Error && 'code' in error ? error.code : ''
  const seconds = limits.answerTimeoutMs / 1000
  switch (code) {
    case 'UND_ERR_HEADERS_TIMEOUT':
      return new ConnectionError(`${origin} gave no answer within ${seconds} s`)
    case 'UND_ERR_BODY_TIMEOUT':
      return new ConnectionError(`${origin} stopped in the middle of an answer for ${seconds} s`)
    case 'UND_ERR_RES_EXCEEDED_MAX_SIZE':
      return new ConnectionError(`the answer is larger than ${limits.maxAnswerBytes} bytes`)
    case 'UND_ERR_SOCKET':
      return new ConnectionError(`cannot reach ${origin}: the connection was cut`)
    case 'UND_ERR_DESTROYED':
    case 'UND_ERR_CLOSED':
      return new ConnectionError(`the client of ${origin} has been closed`)
    default:
      return connectionFailure(origin, error)
  }
}
