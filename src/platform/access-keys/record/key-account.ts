import type { AccessKeySpec } from '../../../api/types/management.ts'
import type { KeyOwner } from '../../../auth/keys/contract.ts'
import { isOfSession, ownerOf } from './access-key.ts'

/** An account that objects count against, such as `user/alice`. */
export function accountOfOwner({ kind, name }: KeyOwner): string {
  return `${kind}/${name}`
}

/** The readable form of an account, such as `user alice`. */
export function describeAccount(account: string): string {
  return account.replace('/', ' ')
}

/** Sessions have their own limit, which never refuses a caller. */
export function accountOfKey(spec: AccessKeySpec): string | undefined {
  const owner = ownerOf(spec)
  return owner === undefined || isOfSession(spec) ? undefined : accountOfOwner(owner)
}
