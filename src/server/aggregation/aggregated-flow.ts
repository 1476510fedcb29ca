import { type KnownFlow, proxiedFlow } from '../fairness/flow.ts'
import { askedApi, type FindAggregatedApi } from './asked-api.ts'

/** Requests that servers of users answer take no places that requests for this server need, however slow the answers are. */
export function aggregatedFlow(find: FindAggregatedApi): KnownFlow {
  return (exchange) => (askedApi(exchange, find) === undefined ? undefined : proxiedFlow(exchange))
}
