import type { UserInfo } from '../api/access.ts'
import { unauthorized } from '../api/error.ts'

/** Admission may wait for other servers for long, and a collection may be large, while the key of the request is revoked. */
export function requireUnrevoked({ credential }: UserInfo): void {
  if (credential?.isRevoked === true) throw unauthorized('the access key was revoked before the change was stored')
}

/** Whether an object may be what the request is authenticated with: a request that deletes it goes on to its end. */
export function mayBeOwnKey({ credential }: UserInfo, name: string): boolean {
  return credential !== undefined && (name === credential.keyName || name === credential.startedWith?.keyName)
}
