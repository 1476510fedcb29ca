import { pause } from '../../base/pause.ts'
import type { Random } from '../../base/random.ts'
import type { Tracing } from '../../base/tracing/tracing.ts'
import type { HttpAnswer } from '../answer-body.ts'
import { LocalRequests } from '../local/local-requests.ts'
import { AuthenticatedPools, type ClusterPoolOptions } from './authenticated-pools.ts'
import type { Transport, TransportRequest } from './contract.ts'
import { failureOf } from './failure.ts'
import { retryPauseMs } from './retry.ts'
import { traced } from './traced.ts'

export interface TransportOptions extends ClusterPoolOptions {
  readonly random: Random
  /** Absent: requests are not traced. */
  readonly tracing?: Tracing | undefined
}

export function createTransport(options: TransportOptions): Transport {
  const { access, limits, random, tracing } = options
  const { origin } = access.url
  const requests =
    access.local === undefined
      ? new AuthenticatedPools(options)
      : new LocalRequests({ ...options, server: access.local })

  const sendOnce = async (request: TransportRequest, signal?: AbortSignal): Promise<HttpAnswer> => {
    try {
      return await traced(tracing, access.url, request, (each) => requests.send(each, signal))
    } catch (error) {
      throw failureOf(error, origin, signal)
    }
  }

  return {
    origin,
    send: async (request, signal) => {
      for (let number = 1; ; number++) {
        const outcome = await sendOnce(request, signal).catch((error: unknown) => ({ error }))
        const pauseMs = retryPauseMs({ method: request.method, number, outcome }, limits.retry, random)
        if (pauseMs !== undefined) await pause(pauseMs, signal)
        else if ('error' in outcome) throw outcome.error
        else return outcome
      }
    },
    open: async (request, signal) => {
      try {
        return await traced(tracing, access.url, request, (each) => requests.open(each, signal))
      } catch (error) {
        throw failureOf(error, origin, signal)
      }
    },
    close: () => requests.close(),
  }
}
