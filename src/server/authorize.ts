import type { Attributes, Decision } from '../api/access.ts'
import { forbiddenFor } from '../api/forbidden.ts'
import type { Authorizer } from '../auth/contract.ts'
import { attributesOf, type Exchange } from './exchange.ts'

export function authorizeBy(authorizer: Authorizer): (exchange: Exchange) => undefined | Promise<undefined> {
  return (exchange) => {
    const attributes = attributesOf(exchange.info, exchange.user, exchange.onward)
    const decision = authorizer.authorize(attributes)
    if (!(decision instanceof Promise)) return passIfAllowed(exchange, attributes, decision)
    return decision.then((late) => passIfAllowed(exchange, attributes, late))
  }
}

function passIfAllowed(exchange: Exchange, attributes: Attributes, decision: Decision): undefined {
  exchange.decision = decision.reason
  if (decision.verdict !== 'allow') throw forbiddenFor(attributes, decision)
  exchange.isAuthorized = true
}
