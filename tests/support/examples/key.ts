import type { KeyScope } from '../../../src/api/access.ts'
import type { AccessKeyScope } from '../../../src/api/types/management.ts'
import type { KeyIndex, KeyIndexOptions, KeyRecord } from '../../../src/auth/keys/contract.ts'
import { createKeyIndex } from '../../../src/auth/keys/index/key-index.ts'
import { mintKey } from '../../../src/auth/keys/values/key-value.ts'
import { systemRandom } from '../../../src/base/random.ts'

export const start = Date.parse('2026-01-01T00:00:00Z')
export const minute = 60_000
export const minted = mintKey(systemRandom)
export const token = minted.value

/** The record of a key without an expiry. */
export const record: KeyRecord = {
  name: 'ci',
  uid: 'uid-1',
  keyId: minted.keyId,
  hash: minted.hash,
  owner: { kind: 'user', name: 'alice' },
  groups: [],
  type: 'User',
  disabled: false,
  deletionRequested: false,
  createdAtMs: start,
  ttlSeconds: 0,
  ttlAfterLastActivity: false,
}

function compileScope(source: AccessKeyScope): KeyScope | undefined {
  if (source.projects === undefined) return undefined
  return { source, grant: () => ({ granted: false, reason: '' }) }
}

export function indexOf(records: readonly KeyRecord[], options: Partial<KeyIndexOptions> = {}): KeyIndex {
  const index = createKeyIndex({ compileScope, ...options })
  for (const each of records) index.upsert(each)
  return index
}

export function stateAt(index: KeyIndex, nowMs: number, presented = token): string {
  return index.check(presented, nowMs).state
}
