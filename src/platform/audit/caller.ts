import { anonymousUser } from '../../api/access.ts'
import type { AuditedRequest, AuditRecord } from '../../server/contract.ts'

/** Who answers for a request: a known caller (even if only by a key that is no longer valid) or an address. */
export type AuditedCaller =
  | { readonly kind: 'known'; readonly name: string }
  | { readonly kind: 'stranger'; readonly name: string }

export function auditedCallerOf({ user, refusedKey, sourceAddress }: AuditRecord): AuditedCaller {
  const keyId = (user.credential ?? refusedKey)?.keyId
  if (keyId !== undefined) return { kind: 'known', name: `key ${keyId}` }
  if (user.name !== anonymousUser.name) return { kind: 'known', name: `user ${user.name}` }
  return { kind: 'stranger', name: network(sourceAddress) }
}

/** A client with one IPv6 address has a whole /64 network of them, so the network is what counts. */
function network(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [front = ''] = address.split('%')
  const [before = '', after] = front.split('::')
  const groups = before.split(':').filter((group) => group !== '')
  const missing = after === undefined ? 0 : 8 - groups.length - after.split(':').filter((group) => group !== '').length
  const whole = [...groups, ...Array.from({ length: missing }, () => '0')]
  return `${whole.slice(0, 4).join(':')}::/64`
}

const reads: ReadonlySet<string> = new Set(['get', 'list', 'watch'])

/** What has changed something is always told, however much there is of it. */
export function mayBeLeftOut({ verb, isAuthorized }: AuditRecord): boolean {
  return !isAuthorized || reads.has(verb)
}

const asking: ReadonlySet<string> = new Set([...reads, 'head', 'options'])
/** Asked for like something to be read, and then anything may be done. */
const opening: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward', 'proxy'])

export function changesNothing({ verb, objectRef }: AuditedRequest): boolean {
  return asking.has(verb) && !opening.has(objectRef?.subresource ?? '')
}
