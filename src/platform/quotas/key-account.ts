import type { AccessKeySpec } from '../../api/types/management.ts'
import type { KeyOwner } from '../../auth/keys/contract.ts'
import { isOfSession, ownerOf } from '../access-keys/record/access-key.ts'

/** `user/alice`: on whose account something is. */
export function accountOfOwner({ kind, name }: KeyOwner): string {
  return `${kind}/${name}`
}

/** `user alice`, for people. */
export function describeAccount(account: string): string {
  return account.replace('/', ' ')
}

/** Sessions have a bound of their own, which refuses no caller. */
export function accountOfKey(spec: AccessKeySpec): string | undefined {
  const owner = ownerOf(spec)
  return owner === undefined || isOfSession(spec) ? undefined : accountOfOwner(owner)
}
