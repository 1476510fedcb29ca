import type { KeyIndex } from '../../auth/keys/contract.ts'
import { keyUseOf } from '../../auth/keys/use-of.ts'
import type { AuditRecord } from '../../server/contract.ts'

/** Remembers what a key was used for, so that somebody can propose a narrower scope for it. Refusals are no use. */
export function noteUse(index: KeyIndex, record: AuditRecord): void {
  const { user, verb, objectRef, requestUri, target, isAuthorized, finishedAtMs } = record
  if (user.credential === undefined || !isAuthorized) return
  const [path = ''] = requestUri.split('?', 1)
  const asked = { user, verb, ...(target === undefined ? {} : { target }) }
  const use = keyUseOf(objectRef === undefined ? { ...asked, path } : { ...asked, ...objectRef })
  index.recordUse(user.credential.keyUid, use, finishedAtMs)
}
