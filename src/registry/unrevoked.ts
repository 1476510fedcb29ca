import type { UserInfo } from '../api/access.ts'
import { unauthorized } from '../api/error.ts'
import type { KubeObject } from '../api/object.ts'

/** Admission may wait for other servers for long, and a collection may be large, while the key of the request is revoked. */
export function requireUnrevoked({ credential }: UserInfo): void {
  if (credential?.isRevoked === true) throw unauthorized('the access key was revoked before the change was stored')
}

/** Whether the request is authenticated with this object: a request that deletes it goes on to its end. */
export function isOwnKey({ credential }: UserInfo, { metadata: { uid } }: KubeObject): boolean {
  return credential !== undefined && (uid === credential.keyUid || uid === credential.startedWith?.keyUid)
}

/** The same, possibly: by the name alone, so that no object has to be parsed for it. */
export function mayBeOwnKey({ credential }: UserInfo, name: string): boolean {
  return credential !== undefined && (name === credential.keyName || name === credential.startedWith?.keyName)
}
