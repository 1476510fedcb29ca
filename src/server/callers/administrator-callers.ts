import { linkCallerName } from '../../api/link.ts'
import type { Authorizer } from '../../auth/contract.ts'
import { mayDoEverything } from '../../auth/may-do-everything.ts'
import { parseServiceAccountUserName } from '../../auth/service-account-name.ts'
import type { Exchange } from '../exchange.ts'

/**
 * Why a caller with a right to a path for administrators is still refused; undefined for an administrator with their
 * own credential.
 */
export function administratorRefusal(exchange: Exchange, path: string, authorizer: Authorizer): string | undefined {
  const { caller, user, onward, isImpersonated } = exchange
  if (isImpersonated && caller.name !== linkCallerName)
    return `${path} is not for callers who impersonate another user: ask as yourself`
  if ([caller, user].some(({ name }) => parseServiceAccountUserName(name) !== undefined))
    return `${path} is not for service accounts: use the access key or the certificate of an administrator`
  // An API behind the platform decides who its administrators are.
  if (onward === undefined && !mayDoEverything(authorizer, user))
    return `${path} requires all rights, such as those of cluster-admin`
  return undefined
}
