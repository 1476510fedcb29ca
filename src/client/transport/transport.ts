import { pause } from '../../base/pause.ts'
import type { Random } from '../../base/random.ts'
import type { HttpAnswer } from '../answer-body.ts'
import { AuthenticatedPools, type PoolOptions, type StreamedResponse } from './authenticated-pools.ts'
import type { StreamedAnswer, Transport, TransportRequest } from './contract.ts'
import { failureOf } from './failure.ts'
import { retryPauseMs } from './retry.ts'

export interface TransportOptions extends PoolOptions {
  readonly random: Random
}

export function createTransport(options: TransportOptions): Transport {
  const { access, limits, random } = options
  const { origin } = access.url
  const pools = new AuthenticatedPools(options)

  const sendOnce = async (request: TransportRequest, signal?: AbortSignal): Promise<HttpAnswer> => {
    try {
      return await pools.send(request, signal)
    } catch (error) {
      throw failureOf(error, origin, limits, signal)
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
      const failure = (error: unknown) => failureOf(error, origin, limits, signal)
      try {
        return streamed(await pools.open(request, signal), failure)
      } catch (error) {
        throw failure(error)
      }
    },
    close: () => pools.close(),
  }
}

function streamed({ status, headers, body }: StreamedResponse, failure: (error: unknown) => unknown): StreamedAnswer {
  return {
    status,
    headers,
    text: () => body.text(),
    chunks: {
      async *[Symbol.asyncIterator]() {
        try {
          yield* body
        } catch (error) {
          throw failure(error)
        }
      },
    },
  }
}
