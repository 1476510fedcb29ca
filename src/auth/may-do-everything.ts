import type { UserInfo } from '../api/access.ts'
import type { Authorizer } from './contract.ts'

/** A user who may do everything is an administrator, whatever their groups are. */
export function mayDoEverything(authorizer: Authorizer, user: UserInfo): boolean {
  const everything = { verb: '*', group: '*', version: '*', resource: '*', subresource: '', namespace: '', name: '' }
  const decision = authorizer.authorize({ user, ...everything })
  return !(decision instanceof Promise) && decision.verdict === 'allow'
}
