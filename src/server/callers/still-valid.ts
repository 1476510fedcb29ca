import { serviceUnavailable } from '../../api/error.ts'
import type { Clock } from '../../base/clock.ts'
import { Exchange } from '../exchange.ts'
import type { PipelineStep } from '../pipeline.ts'

/** A request that takes longer to arrive, or waits longer for its turn, is authenticated and authorized once more. */
const soonMs = 1_000

/** The pipeline steps that decide whether a request may be carried out, in their order. */
export interface RightsChecks {
  readonly authenticate: PipelineStep
  readonly impersonate: PipelineStep
  readonly authorize: PipelineStep
}

interface Clocks {
  readonly clock: Clock
  /** For durations. */
  readonly elapsed: Clock
}

/**
 * A body may take half a minute to arrive. Who holds it back until the key is revoked, or the right to the request is
 * taken away, must not be served: the request is refused like one that begins now.
 */
export function requireStillValid(checks: RightsChecks, { clock, elapsed }: Clocks): PipelineStep {
  return (exchange) => {
    const isRevoked = exchange.caller.credential?.isRevoked === true
    const elapsedMs = elapsed.now()
    if (!isRevoked && elapsedMs < exchange.received.elapsedMs + soonMs) return
    const again = new Exchange(exchange.request, exchange.auditId, { atMs: clock.now(), elapsedMs })
    again.info = exchange.info
    again.onward = exchange.onward
    return checkAgain(again, checks, isRevoked).catch((error: unknown) => {
      exchange.refusedKey = again.refusedKey
      throw error
    })
  }
}

async function checkAgain(
  again: Exchange,
  { authenticate, impersonate, authorize }: RightsChecks,
  isRevoked: boolean,
): Promise<undefined> {
  await authenticate(again)
  if (isRevoked) {
    throw serviceUnavailable('the rights of the access key have changed while the request arrived: send it again', 1)
  }
  await impersonate(again)
  await authorize(again)
}
