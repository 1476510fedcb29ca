import type { UserInfo } from '../api/access.ts'
import type { Authorizer } from '../auth/contract.ts'
import type { WriteRequest } from '../registry/contract.ts'

/**
 * The platform itself. Only this very object is trusted: no request from the network carries it, whatever name and
 * groups its user claims.
 */
const platformUser: UserInfo = {
  name: 'system:platform',
  groups: ['system:masters', 'system:authenticated'],
}

export function isPlatform(user: UserInfo): boolean {
  return user === platformUser
}

/** A write by the platform on behalf of a caller, counted for that caller. */
export function requestFor(user: UserInfo, authorizer: Authorizer, manager: string, signal: AbortSignal): WriteRequest {
  const { isInternal: _, ...request } = platformRequest(manager, signal)
  return { ...request, authorize: (attributes) => authorizer.authorize({ ...attributes, user }) }
}

/** A write that the platform makes for itself. */
export function platformRequest(manager: string, signal: AbortSignal, subresource = ''): WriteRequest {
  return {
    user: platformUser,
    subresource,
    fieldManager: manager,
    fieldValidation: 'Ignore',
    dryRun: false,
    signal,
    isInternal: true,
    warn: () => {},
    authorize: () => ({ verdict: 'allow', reason: '' }),
  }
}
