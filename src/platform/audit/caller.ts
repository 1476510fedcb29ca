import { anonymousUser } from '../../api/access.ts'
import { networkOf } from '../../base/network/network-of.ts'
import type { AuditedRequest, AuditRecord } from '../../server/contract.ts'

/**
 * Who is responsible for a request: a known caller (even if known only by a key that is no longer valid) or an address.
 */
export type AuditedCaller =
  | { readonly kind: 'known'; readonly name: string }
  | { readonly kind: 'stranger'; readonly name: string }

export function auditedCallerOf({ user, refusedKey, sourceAddress }: AuditRecord): AuditedCaller {
  const keyId = (user.credential ?? refusedKey)?.keyId
  if (keyId !== undefined) return { kind: 'known', name: `key ${keyId}` }
  if (user.name !== anonymousUser.name) return { kind: 'known', name: `user ${user.name}` }
  return { kind: 'stranger', name: networkOf(sourceAddress) }
}

const reads: ReadonlySet<string> = new Set(['get', 'list', 'watch'])

/** Changes are always recorded, however many there are. */
export function mayBeLeftOut({ verb, isAuthorized }: AuditRecord): boolean {
  return !isAuthorized || reads.has(verb)
}

const asking: ReadonlySet<string> = new Set([...reads, 'head', 'options'])
/** These subresources are requested with a read verb but let the caller do anything. */
const opening: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward', 'proxy'])

export function changesNothing({ verb, objectRef }: AuditedRequest): boolean {
  return asking.has(verb) && !opening.has(objectRef?.subresource ?? '')
}
