import type { AccessKey } from '../api/objects.ts'
import { ownerOf } from '../api/owner.ts'
import { timeOf } from '../format/time.ts'
import { reachInShort } from './scope-words.ts'

/** The values that a table needs from a key, computed once for each version of it. */
export interface KeyRow {
  readonly key: AccessKey
  readonly name: string
  readonly displayName: string
  readonly owner: string
  readonly ownerKind: 'user' | 'team' | 'subject'
  /** Kind and name, to distinguish owners. */
  readonly ownerId: string
  readonly phase: string
  readonly scope: string
  readonly expiresMs: number | undefined
  readonly activeMs: number | undefined
  readonly usedFrom: string
  readonly type: string
  /** In lower case. */
  readonly searched: string
}

export function keyRowOf(key: AccessKey): KeyRow {
  const { metadata, spec = {}, status = {} } = key
  const name = metadata.name ?? ''
  const { kind: ownerKind, name: owner } = ownerOf(spec) ?? { kind: 'user' as const, name: '' }
  const scope = reachInShort(spec)
  const displayName = spec.displayName || name
  const { keyId = '', lastUsedFrom: usedFrom = '' } = status
  return {
    key,
    name,
    displayName,
    owner,
    ownerKind,
    ownerId: `${ownerKind}/${owner}`,
    phase: status.phase ?? 'Active',
    scope,
    expiresMs: timeOf(status.expiresAt),
    activeMs: timeOf(status.lastActivity),
    usedFrom,
    type: spec.type ?? 'User',
    searched:
      `${name}\n${displayName}\n${spec.description ?? ''}\n${owner}\n${scope}\n${keyId}\n${usedFrom}`.toLowerCase(),
  }
}
