import type { UserInfo } from '../../api/access.ts'
import { networkOf } from '../../base/network/network-of.ts'
import type { Exchange } from '../exchange.ts'
import type { RequestFlow } from './contract.ts'

/** Returns the flow of a request that has its own, as decided by a component that knows more than the server. */
export type KnownFlow = (exchange: Exchange) => RequestFlow | undefined

const administratorGroup = 'system:masters'
const healthPath = /^\/(livez|readyz|healthz)(\/|$)/

export function flowOf(exchange: Exchange, known?: KnownFlow): RequestFlow {
  const { caller, info, onward, request } = exchange
  const isHealth = onward === undefined && info.form === 'path' && healthPath.test(info.path)
  if (isHealth || caller.name === 'system:anonymous') {
    const { clientAddress } = request
    return { level: isHealth ? 'health' : 'strangers', owner: networkOf(clientAddress), key: clientAddress }
  }
  return known?.(exchange) ?? callerFlow(exchange)
}

/** An upstream may be slow, so forwarded requests do not use places that other requests need. */
function callerFlow(exchange: Exchange): RequestFlow {
  if (exchange.onward !== undefined) return proxiedFlow(exchange)
  const { name, groups, credential } = whoseTurn(exchange)
  const level = isAdministrator(groups) ? 'administrators' : 'callers'
  return { level, owner: name, key: credential?.keyUid ?? '' }
}

/** The flow of a request that an upstream answers. */
export function proxiedFlow(exchange: Exchange): RequestFlow {
  const { name, credential } = whoseTurn(exchange)
  return { level: 'proxied', owner: name, key: credential?.keyUid ?? '' }
}

/**
 * An administrator who impersonates a user takes that user's turns: this is how a link shares its requests among users.
 */
function whoseTurn({ caller, user }: Exchange): UserInfo {
  return isAdministrator(caller.groups) ? user : caller
}

function isAdministrator(groups: readonly string[]): boolean {
  return groups.includes(administratorGroup)
}
