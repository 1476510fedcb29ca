import { type KnownFlow, proxiedFlow } from '../fairness/flow.ts'
import { askedApi, type FindAggregatedApi } from './asked-api.ts'

/**
 * Requests for servers behind APIServices use separate places, so that slow answers do not block requests for this
 * server.
 */
export function aggregatedFlow(find: FindAggregatedApi): KnownFlow {
  return (exchange) => (askedApi(exchange, find) === undefined ? undefined : proxiedFlow(exchange))
}
