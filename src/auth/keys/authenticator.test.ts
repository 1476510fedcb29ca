import { describe, expect, it } from 'vitest'
import { systemRandom } from '../../base/random.ts'
import type { AuthenticationResult } from '../contract.ts'
import { createAccessKeyAuthenticator } from './authenticator.ts'
import type { KeyOwner, KeyRecord, OwnerDirectory, OwnerState } from './contract.ts'
import { createKeyIndex } from './index/key-index.ts'
import { mintKey } from './values/key-value.ts'

const nowMs = Date.parse('2026-01-01T00:00:00Z')
const { value: token, keyId, hash } = mintKey(systemRandom)
const alice: OwnerState = {
  subject: 'alice@example.com',
  uid: 'alice-uid',
  groups: ['staff'],
  teams: ['red', 'blue'],
  locked: false,
}
const red: OwnerState = { subject: 'alice@example.com', groups: ['builders'], teams: [], locked: false }

function recordOf(change: Partial<KeyRecord> = {}): KeyRecord {
  return {
    name: 'ci',
    uid: 'key-uid',
    keyId,
    hash,
    owner: { kind: 'user', name: 'alice' },
    groups: ['extra', 'staff'],
    type: 'User',
    disabled: false,
    deletionRequested: false,
    createdAtMs: nowMs,
    ttlSeconds: 0,
    ttlAfterLastActivity: false,
    ...change,
  }
}

function worldOf(record: KeyRecord, owners: Partial<OwnerDirectory> = {}) {
  const index = createKeyIndex({
    compileScope: (source) => ({ source, grant: () => ({ granted: true, entry: '' }) }),
  })
  index.upsert(record)
  const clock = { nowMs, now: () => clock.nowMs }
  const flushes: number[] = []
  const authenticator = createAccessKeyAuthenticator({
    index,
    clock,
    owners: {
      user: (name) => (name === 'alice' ? alice : undefined),
      team: (name) => (name === 'red' ? red : undefined),
      ...owners,
    },
    onFlushDue: () => flushes.push(clock.nowMs),
  })
  const source = { address: '192.0.2.1', userAgent: 'kubectl' }
  return {
    index,
    clock,
    flushes,
    authenticator,
    use: (text = token) => authenticator.authenticateToken(text, [], source),
  }
}

function userOf(result: AuthenticationResult | Promise<AuthenticationResult>) {
  if (result instanceof Promise || result.outcome !== 'authenticated') throw new Error('The key was refused.')
  return result.user
}

describe('the caller that presents an access key', () => {
  it('is its owner, with the groups of the owner, of the teams and of the key', () => {
    const { credential, ...user } = userOf(worldOf(recordOf()).use())
    expect(user).toEqual({
      name: 'alice@example.com',
      uid: 'alice-uid',
      groups: [
        'staff',
        'platform:user:alice',
        'platform:team:red',
        'platform:team:blue',
        'extra',
        'system:authenticated',
      ],
    })
    expect(credential).toMatchObject({ keyName: 'ci', keyUid: 'key-uid', keyId })
    expect(credential).not.toHaveProperty('scope')
  })

  it.each<readonly [KeyOwner, { name: string; groups: readonly string[] }]>([
    [
      { kind: 'team', name: 'red' },
      {
        name: 'platform:team:red',
        groups: ['builders', 'platform:team:red', 'extra', 'staff', 'system:authenticated'],
      },
    ],
    [
      { kind: 'subject', name: 'robot' },
      { name: 'robot', groups: ['extra', 'staff', 'system:authenticated'] },
    ],
  ])('is %o, never a user of the same name', (owner, expected) => {
    expect(userOf(worldOf(recordOf({ owner })).use())).toMatchObject(expected)
  })

  it('has the current memberships of the owner', () => {
    let state = alice
    const { use } = worldOf(recordOf(), { user: () => state })
    expect(userOf(use()).groups).toContain('platform:team:red')
    state = { ...alice, teams: [] }
    expect(userOf(use()).groups).not.toContain('platform:team:red')
  })

  it('is never taken for another owner, even if the directory knows both by one entry', () => {
    const { index, use } = worldOf(recordOf(), { user: () => alice })
    const other = mintKey(systemRandom)
    index.upsert(recordOf({ uid: 'other', keyId: other.keyId, hash: other.hash, owner: { kind: 'user', name: 'bob' } }))
    expect(userOf(use()).groups).toContain('platform:user:alice')
    expect(userOf(use(other.value)).groups).toContain('platform:user:bob')
    index.upsert(recordOf({ groups: ['else'] }))
    expect(userOf(use()).groups).toContain('else')
  })

  it('has the scope of the key', () => {
    const scope = { projects: [{ project: 'a' }] }
    expect(userOf(worldOf(recordOf({ scope })).use()).credential?.scope?.source).toEqual(scope)
  })

  it('can be cut off', () => {
    const { index, use } = worldOf(recordOf())
    const signal = userOf(use()).credential?.revoked
    expect(signal?.aborted).toBe(false)
    index.upsert(recordOf({ disabled: true }))
    expect(signal?.aborted).toBe(true)
  })

  it.each<readonly [string, Partial<KeyRecord>]>([
    ['its scope has changed', { scope: { projects: [{ project: 'a' }] } }],
    ['its groups have changed', { groups: ['other'] }],
    ['its owner has changed', { owner: { kind: 'team', name: 'red' } }],
  ])('is cut off at once when the signal is first read after %s', (_, change) => {
    const { index, use } = worldOf(recordOf())
    const { credential } = userOf(use())
    index.upsert(recordOf(change))
    expect(credential?.revoked.aborted).toBe(true)
    expect(userOf(use()).credential?.revoked.aborted).toBe(false)
  })

  it('is cut off at once when the signal is first read after its owner was locked', () => {
    let owner = alice
    const { use } = worldOf(recordOf(), { user: () => owner })
    const { credential } = userOf(use())
    owner = { ...alice, locked: true }
    expect(credential?.revoked.aborted).toBe(true)
  })

  it.each<readonly [string, Partial<KeyRecord>, Partial<OwnerDirectory>, AuthenticationResult]>([
    ['is disabled', { disabled: true }, {}, refused('KeyDisabled', 'the access key is disabled')],
    [
      'has expired',
      { createdAtMs: nowMs - 1000, ttlSeconds: 1 },
      {},
      refused('KeyExpired', 'the access key has expired'),
    ],
    [
      'has a locked owner',
      {},
      { user: () => ({ ...alice, locked: true }) },
      refused('OwnerLocked', 'the owner of the access key is locked'),
    ],
    [
      'has a locked team',
      { owner: { kind: 'team', name: 'red' } },
      { team: () => ({ ...red, locked: true }) },
      refused('OwnerLocked', 'the owner of the access key is locked'),
    ],
    ['has a deleted owner', { owner: { kind: 'user', name: 'bob' } }, {}, { outcome: 'unknown' }],
    ['has a deleted team', { owner: { kind: 'team', name: 'green' } }, {}, { outcome: 'unknown' }],
    ['is being deleted', { deletionRequested: true }, {}, { outcome: 'unknown' }],
  ])('is refused when the key %s', (_, change, owners, expected) => {
    const { index, use } = worldOf(recordOf(change), owners)
    expect(use()).toEqual(expected)
    expect(index.lastActivityMs('key-uid')).toBeUndefined()
  })

  it('learns nothing from a wrong key: a typo and a stranger get the same answer', () => {
    const { use } = worldOf(recordOf())
    expect(use(`${token.slice(0, -1)}!`)).toEqual({ outcome: 'unknown' })
    expect(use(mintKey(systemRandom).value)).toEqual({ outcome: 'unknown' })
    expect(use('anything')).toEqual({ outcome: 'unknown' })
  })
})

describe('a use', () => {
  it('is recorded with its time and address, the first one at once', () => {
    const { index, clock, flushes, use } = worldOf(recordOf())
    use()
    clock.nowMs += 5000
    use()
    expect(index.lastActivityMs('key-uid')).toBe(nowMs + 5000)
    expect(index.lastUsedFrom('key-uid')).toBe('192.0.2.1')
    expect(flushes).toEqual([nowMs])
  })

  it('is not recorded when a token is only reviewed', () => {
    const { index, authenticator } = worldOf(recordOf())
    expect(authenticator.authenticateToken(token, ['api'])).toMatchObject({ outcome: 'authenticated' })
    expect(index.lastActivityMs('key-uid')).toBeUndefined()
  })

  it('of the previous value is recorded separately', () => {
    const next = mintKey(systemRandom)
    const previous = { keyId, hash, validUntilMs: nowMs + 1000 }
    const { index, use } = worldOf(recordOf({ keyId: next.keyId, hash: next.hash, previous }))
    use(next.value)
    expect(index.previousUsers('key-uid')).toEqual([])
    expect(userOf(use()).credential?.keyId).toBe(keyId)
    expect(index.previousUsers('key-uid')).toEqual([{ from: '192.0.2.1', userAgent: 'kubectl', lastActivityMs: nowMs }])
  })
})

function refused(causeReason: string, message: string): AuthenticationResult {
  return { outcome: 'refused', message, causeReason, key: { keyName: 'ci', keyId } }
}
