import { serviceUnavailable } from '../api/error.ts'
import type { Clock } from '../base/clock.ts'
import { Exchange } from './exchange.ts'
import type { PipelineStep } from './pipeline.ts'

/** A request that takes longer to arrive, or waits longer for its turn, is authenticated once more. */
const soonMs = 1_000

/**
 * A body may take half a minute to arrive. Who holds it back until the key is revoked must not be served: the request
 * is refused like one that begins now.
 */
export function requireStillValid(authenticate: PipelineStep, clock: Clock): PipelineStep {
  return (exchange) => {
    const isRevoked = exchange.caller.credential?.isRevoked === true
    const nowMs = clock.now()
    if (!isRevoked && nowMs < exchange.receivedAtMs + soonMs) return
    const again = new Exchange(exchange.request, exchange.auditId, nowMs)
    const conclude = (): undefined => {
      if (!isRevoked) return
      throw serviceUnavailable('the rights of the access key have changed while the request arrived: send it again', 1)
    }
    const refuse = (error: unknown): never => {
      exchange.refusedKey = again.refusedKey
      throw error
    }
    try {
      const result = authenticate(again)
      return result instanceof Promise ? result.then(conclude, refuse) : conclude()
    } catch (error) {
      return refuse(error)
    }
  }
}
