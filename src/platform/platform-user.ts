import type { UserInfo } from '../api/access.ts'
import type { WriteRequest } from '../registry/contract.ts'

/**
 * The platform itself. Trust goes with this very object: no request that came over the network carries it, whatever
 * name and groups its user claims.
 */
export const platformUser: UserInfo = {
  name: 'system:platform',
  groups: ['system:masters', 'system:authenticated'],
}

export function isPlatform(user: UserInfo): boolean {
  return user === platformUser
}

/** A write by the platform itself. */
export function platformRequest(manager: string, signal: AbortSignal, subresource = ''): WriteRequest {
  return {
    user: platformUser,
    subresource,
    fieldManager: manager,
    fieldValidation: 'Ignore',
    dryRun: false,
    signal,
    warn: () => {},
    authorize: () => ({ verdict: 'allow', reason: '' }),
  }
}
