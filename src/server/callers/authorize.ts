import type { Attributes, Decision } from '../../api/access.ts'
import { administratorPaths } from '../../api/administrator-paths.ts'
import { forbiddenFor } from '../../api/forbidden.ts'
import type { Authorizer } from '../../auth/contract.ts'
import { attributesOf, type Exchange } from '../exchange.ts'
import type { RequestInfo } from '../request/request-info.ts'
import { administratorRefusal } from './administrator-callers.ts'

export function authorizeBy(authorizer: Authorizer): (exchange: Exchange) => undefined | Promise<undefined> {
  const require = (exchange: Exchange, attributes: Attributes): undefined | Promise<undefined> => {
    const decision = authorizer.authorize(attributes)
    if (!(decision instanceof Promise)) return passIfAllowed(exchange, attributes, decision)
    return decision.then((late) => passIfAllowed(exchange, attributes, late))
  }
  const requireAdministrator = async (exchange: Exchange, path: string, attributes: Attributes): Promise<undefined> => {
    const decision = await authorizer.authorize(attributes)
    const reason = decision.verdict === 'allow' ? administratorRefusal(exchange, path, authorizer) : undefined
    return passIfAllowed(exchange, attributes, reason === undefined ? decision : { verdict: 'deny', reason })
  }
  return (exchange) => {
    const attributes = attributesOf(exchange.info, exchange.user, exchange.onward)
    const { info } = exchange
    if (info.form === 'path' && administratorPaths.has(info.path))
      return requireAdministrator(exchange, info.path, attributes)
    if (!opensStream(exchange.info)) return require(exchange, attributes)
    const first = require(exchange, { ...attributes, verb: 'create' })
    return first instanceof Promise ? first.then(() => require(exchange, attributes)) : require(exchange, attributes)
  }
}

const streams: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward'])

/**
 * WebSockets open with GET but allow the same as streams opened with POST: a user who may only read must not run
 * commands. Kubernetes requires both rights since 1.35.
 */
function opensStream(info: RequestInfo): boolean {
  if (info.form !== 'resource' || info.verb !== 'get') return false
  return info.group === '' && info.resource === 'pods' && streams.has(info.subresource)
}

function passIfAllowed(exchange: Exchange, attributes: Attributes, decision: Decision): undefined {
  exchange.decision = decision.reason
  if (decision.verdict !== 'allow') throw forbiddenFor(attributes, decision)
  exchange.isAuthorized = true
}
