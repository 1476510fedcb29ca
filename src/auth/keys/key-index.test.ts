import { describe, expect, it } from 'vitest'
import type { KeyScope } from '../../api/access.ts'
import type { AccessKeyScope } from '../../api/types/management.ts'
import { systemRandom } from '../../base/random.ts'
import type { KeyIndex, KeyIndexOptions, KeyRecord } from './contract.ts'
import { createKeyIndex } from './key-index.ts'
import { hashKey, mintKey } from './key-value.ts'

const start = Date.parse('2026-01-01T00:00:00Z')
const minute = 60_000
const minted = mintKey(systemRandom)
const token = minted.value

const record: KeyRecord = {
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

function indexOf(records: readonly KeyRecord[], options: Partial<KeyIndexOptions> = {}): KeyIndex {
  const index = createKeyIndex({ compileScope, ...options })
  for (const each of records) index.upsert(each)
  return index
}

function stateAt(index: KeyIndex, nowMs: number, presented = token): string {
  return index.check(presented, nowMs).state
}

describe('looking a key up', () => {
  it('finds it by its value alone', () => {
    const check = indexOf([record]).check(token, start)
    expect(check).toMatchObject({
      state: 'valid',
      key: { name: 'ci', uid: 'uid-1', owner: { kind: 'user', name: 'alice' }, scope: undefined },
      value: { which: 'current', keyId: minted.keyId },
    })
  })

  it.each([
    ['nothing', ''],
    ['another key', mintKey(systemRandom).value],
    ['its hash', minted.hash],
    ['its id', minted.keyId],
    ['a typo', `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`],
    ['another token', 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln'],
  ])('does not know %s', (_, presented) => {
    expect(stateAt(indexOf([record]), start, presented)).toBe('unknown')
  })

  it('treats a typo as unknown even if its hash is stored', () => {
    const typo = `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`
    expect(stateAt(indexOf([{ ...record, hash: hashKey(typo) }]), start, typo)).toBe('unknown')
  })

  it('tells what is wrong with a key whose secret is right', () => {
    expect(stateAt(indexOf([{ ...record, disabled: true }]), start)).toBe('disabled')
    expect(stateAt(indexOf([{ ...record, deletionRequested: true }]), start)).toBe('deleted')
    expect(stateAt(indexOf([{ ...record, disabled: true, deletionRequested: true }]), start)).toBe('deleted')
    expect(stateAt(indexOf([{ ...record, ttlSeconds: 1 }]), start + 1000)).toBe('expired')
    expect(stateAt(indexOf([{ ...record, ttlSeconds: 1, disabled: true }]), start + 1000)).toBe('disabled')
  })

  it('follows every change, and forgets a removed key', () => {
    const index = indexOf([record])
    index.upsert({ ...record, disabled: true })
    expect(stateAt(index, start)).toBe('disabled')
    index.upsert(record)
    expect(stateAt(index, start)).toBe('valid')
    index.remove(record.uid)
    expect(stateAt(index, start)).toBe('unknown')
    expect(index.size).toBe(0)
    expect(index.find(record.uid)).toBeUndefined()
    index.remove(record.uid)
  })

  it('leaves a value to the key that had it first', () => {
    const index = indexOf([record, { ...record, uid: 'uid-2', name: 'copy', owner: { kind: 'user', name: 'eve' } }])
    expect(index.check(token, start)).toMatchObject({ key: { uid: 'uid-1' } })
    expect(index.ownerOfHash(minted.hash)?.uid).toBe('uid-1')
    index.remove('uid-2')
    expect(stateAt(index, start)).toBe('valid')
  })

  it('shares what keys have in common', () => {
    const scope = { projects: [{ project: 'a' }] }
    const other = mintKey(systemRandom)
    const index = indexOf([
      { ...record, scope, groups: ['g'] },
      { ...record, uid: 'uid-2', hash: other.hash, scope: { projects: [{ project: 'a' }] }, groups: ['g'] },
    ])
    expect(index.find('uid-1')?.scope).toBe(index.find('uid-2')?.scope)
    expect(index.find('uid-1')?.groups).toBe(index.find('uid-2')?.groups)
    index.remove('uid-1')
    expect(index.find('uid-2')?.scope?.source).toEqual(scope)
  })

  it('stays right through many insertions, rotations and removals', () => {
    const index = indexOf([])
    const keys = Array.from({ length: 500 }, (_, at) => ({ ...mintKey(systemRandom), uid: `uid-${at}` }))
    for (const { uid, keyId, hash } of keys) index.upsert({ ...record, uid, name: uid, keyId, hash })
    for (const { uid } of keys.slice(0, 400)) index.remove(uid)
    for (const [at, { value, uid }] of keys.entries()) {
      expect(index.check(value, start)).toMatchObject(at < 400 ? { state: 'unknown' } : { key: { uid } })
    }
    for (const { uid, keyId, hash } of keys) index.upsert({ ...record, uid, name: uid, keyId, hash })
    expect(keys.every(({ value }) => stateAt(index, start, value) === 'valid')).toBe(true)
    expect(index.size).toBe(500)
  })
})

describe('the end of a key', () => {
  it.each<readonly [string, Partial<KeyRecord>, number | undefined, number | undefined]>([
    ['never comes by itself', {}, undefined, undefined],
    ['is its ttl after creation', { ttlSeconds: 100 }, undefined, 100_000],
    ['ignores activity unless asked', { ttlSeconds: 100, lastActivityMs: start + 50_000 }, undefined, 100_000],
    ['slides from creation before the first use', { ttlSeconds: 100, ttlAfterLastActivity: true }, undefined, 100_000],
    ['is no later than the server allows', { ttlSeconds: 100 }, 60, 60_000],
    ['is given by the server if the key has none', {}, 60, 60_000],
    ['counts the maximum from when the value was made', { issuedAtMs: start + 5000 }, 60, 65_000],
    ['is its own if that is sooner', { ttlSeconds: 30, issuedAtMs: start + 5000 }, 60, 30_000],
  ])('%s', (_, change, maxLifetimeSeconds, end) => {
    const index = indexOf([{ ...record, ...change }], maxLifetimeSeconds === undefined ? {} : { maxLifetimeSeconds })
    expect(index.expiresAtMs('uid-1')).toBe(end === undefined ? undefined : start + end)
    if (end === undefined) return
    expect(stateAt(index, start + end - 1)).toBe('valid')
    expect(stateAt(index, start + end)).toBe('expired')
  })

  it('slides exactly with every use while the server runs, also when uses are stored', () => {
    const index = indexOf([{ ...record, ttlSeconds: 100, ttlAfterLastActivity: true }])
    for (const at of [10_000, 60_500, 90_250]) {
      index.touch('uid-1', start + at, '::1')
      const [flush] = index.dueFlushes(start + at)
      const storedMs = Math.floor((flush?.lastActivityMs ?? 0) / 1000) * 1000
      index.upsert({ ...record, ttlSeconds: 100, ttlAfterLastActivity: true, lastActivityMs: storedMs })
      expect(index.expiresAtMs('uid-1')).toBe(start + at + 100_000)
    }
    expect(stateAt(index, start + 190_249)).toBe('valid')
    expect(stateAt(index, start + 190_250)).toBe('expired')
  })

  it('never comes early after a restart, and late by no more than what may not have been stored', () => {
    const ttlSeconds = 100
    const before = indexOf([{ ...record, ttlSeconds, ttlAfterLastActivity: true }])
    before.touch('uid-1', start, '::1')
    const [flush] = before.dueFlushes(start)
    before.touch('uid-1', start + 4999, '::1')
    expect(before.dueFlushes(start + 4999)).toEqual([])
    const after = indexOf([
      { ...record, ttlSeconds, ttlAfterLastActivity: true, lastActivityMs: flush?.lastActivityMs ?? 0 },
    ])
    const exact = before.expiresAtMs('uid-1') ?? 0
    expect(after.expiresAtMs('uid-1')).toBeGreaterThanOrEqual(exact)
    expect(after.expiresAtMs('uid-1')).toBeLessThanOrEqual(exact + 5000 + 2000)
  })

  it('stays an end when the clock is set back', () => {
    const index = indexOf([{ ...record, ttlSeconds: 100 }])
    expect(stateAt(index, start + 100_000)).toBe('expired')
    expect(stateAt(index, start)).toBe('expired')
  })

  it('stays an end after a restart with a clock that was set back, until its life is changed', () => {
    const index = indexOf([{ ...record, ttlSeconds: 100, hasExpired: true }])
    expect(stateAt(index, start)).toBe('expired')
    index.upsert({ ...record, ttlSeconds: 200, hasExpired: false })
    expect(stateAt(index, start)).toBe('valid')
  })

  it('is put off by what another replica has seen', () => {
    const index = indexOf([{ ...record, ttlSeconds: 100, ttlAfterLastActivity: true }])
    index.touch('uid-1', start, '::1')
    index.upsert({ ...record, ttlSeconds: 100, ttlAfterLastActivity: true, lastActivityMs: start + 90_000 })
    expect(stateAt(index, start + 189_999)).toBe('valid')
    expect(index.lastActivityMs('uid-1')).toBe(start + 90_000)
  })
})

describe('activity', () => {
  it('is exact at once, and to be stored at once if nothing was', () => {
    const index = indexOf([record])
    expect(index.lastActivityMs('uid-1')).toBeUndefined()
    expect(index.touch('uid-1', start + 5, '192.0.2.1')).toBe(true)
    expect(index.lastActivityMs('uid-1')).toBe(start + 5)
    expect(index.lastUsedFrom('uid-1')).toBe('192.0.2.1')
    expect(index.dueFlushes(start + 5)).toEqual([
      { uid: 'uid-1', name: 'ci', lastActivityMs: start + 5, lastUsedFrom: '192.0.2.1' },
    ])
    expect(index.dueFlushes(start + 6)).toEqual([])
  })

  it('of 100,000 requests in a minute is stored twice at most', () => {
    const index = indexOf([record])
    let writes = 0
    for (let request = 0; request < 100_000; request++) {
      const nowMs = start + Math.floor((request * minute) / 100_000)
      index.touch('uid-1', nowMs, '::1')
      if (request % 100 === 0) writes += index.dueFlushes(nowMs).length
    }
    writes += index.dueFlushes(start + minute).length
    expect(writes).toBe(2)
  })

  it('is stored more often for a key that lives shortly, and the last use is never left out', () => {
    const index = indexOf([{ ...record, ttlSeconds: 20 }])
    index.touch('uid-1', start, '::1')
    index.dueFlushes(start)
    expect(index.touch('uid-1', start + 999, '::1')).toBe(false)
    expect(index.dueFlushes(start + 999)).toEqual([])
    expect(index.dueFlushes(start + 1000)).toMatchObject([{ lastActivityMs: start + 999 }])
  })

  it('is not stored again soon after another replica did', () => {
    const index = indexOf([{ ...record, lastActivityMs: start }])
    expect(index.touch('uid-1', start + 30_000, '::1')).toBe(false)
    expect(index.dueFlushes(start + 59_999)).toEqual([])
    expect(index.dueFlushes(start + 60_000)).toHaveLength(1)
  })

  it('is handed out as a whole when the server stops, and never for a removed key', () => {
    const other = mintKey(systemRandom)
    const index = indexOf([
      { ...record, lastActivityMs: start },
      { ...record, uid: 'uid-2', name: 'gone', hash: other.hash, lastActivityMs: start },
    ])
    index.touch('uid-1', start + 10, '::1')
    index.touch('uid-2', start + 10, '::1')
    index.remove('uid-2')
    expect(index.allFlushes(start + 11)).toMatchObject([{ uid: 'uid-1', lastActivityMs: start + 10 }])
    expect(index.touch('nobody', start, '::1')).toBe(false)
  })

  it('never goes back', () => {
    const index = indexOf([record])
    index.touch('uid-1', start + 10, '::1')
    index.touch('uid-1', start + 5, '::1')
    expect(index.lastActivityMs('uid-1')).toBe(start + 10)
  })
})

describe('rotation', () => {
  const next = mintKey(systemRandom)
  const rotated: KeyRecord = {
    ...record,
    keyId: next.keyId,
    hash: next.hash,
    previous: { keyId: minted.keyId, hash: minted.hash, validUntilMs: start + minute },
  }

  it('lets both values in until the overlap ends', () => {
    const index = indexOf([record])
    index.upsert(rotated)
    expect(index.check(next.value, start)).toMatchObject({ value: { which: 'current', keyId: next.keyId } })
    expect(index.check(token, start + minute - 1)).toMatchObject({ value: { which: 'previous', keyId: minted.keyId } })
    expect(stateAt(index, start + minute)).toBe('unknown')
    expect(stateAt(index, start + minute, next.value)).toBe('valid')
    expect(index.takeExpired(start + minute)).toEqual([{ uid: 'uid-1', name: 'ci', what: 'value' }])
    expect(index.ownerOfHash(minted.hash)).toBeUndefined()
  })

  it('without overlap ends the old value and what it opened at once', () => {
    const index = indexOf([record])
    const signal = index.revokedSignal('uid-1', minted.keyId)
    index.upsert({ ...record, keyId: next.keyId, hash: next.hash })
    expect(signal.aborted).toBe(true)
    expect(stateAt(index, start)).toBe('unknown')
    expect(stateAt(index, start, next.value)).toBe('valid')
  })

  it('with overlap cuts what the old value opened when it ends, and nothing of the new one', () => {
    const index = indexOf([record])
    const old = index.revokedSignal('uid-1', minted.keyId)
    index.upsert(rotated)
    const current = index.revokedSignal('uid-1', next.keyId)
    expect(index.revokedSignal('uid-1', minted.keyId)).toBe(old)
    index.takeExpired(start + minute - 1)
    expect(old.aborted).toBe(false)
    index.takeExpired(start + minute)
    expect([old.aborted, current.aborted]).toEqual([true, false])
    expect(index.revokedSignal('uid-1', minted.keyId).aborted).toBe(true)
  })

  it('can be taken back', () => {
    const index = indexOf([record])
    index.upsert(rotated)
    index.upsert(record)
    expect(stateAt(index, start)).toBe('valid')
    expect(stateAt(index, start, next.value)).toBe('unknown')
  })

  it('remembers who still uses the old value, up to a bound', () => {
    const index = indexOf([rotated])
    for (let user = 0; user < 40; user++) index.notePreviousUser('uid-1', start + user, `192.0.2.${user}`, 'curl')
    index.notePreviousUser('uid-1', start + 100, '192.0.2.20', 'curl')
    const users = index.previousUsers('uid-1')
    expect(users).toHaveLength(32)
    expect(users.at(-1)).toEqual({ from: '192.0.2.20', userAgent: 'curl', lastActivityMs: start + 100 })
    expect(users.filter(({ from }) => from === '192.0.2.20')).toHaveLength(1)
    index.upsert({ ...record, keyId: next.keyId, hash: next.hash })
    expect(index.previousUsers('uid-1')).toEqual([])
    index.notePreviousUser('uid-1', start, '::1', 'curl')
    expect(index.previousUsers('uid-1')).toEqual([])
  })
})

describe('revocation', () => {
  it.each<readonly [string, (index: KeyIndex) => void, string]>([
    ['disabled', (index) => index.upsert({ ...record, disabled: true }), 'disabled'],
    ['being deleted', (index) => index.upsert({ ...record, deletionRequested: true }), 'deleted'],
    ['removed', (index) => index.remove('uid-1'), 'deleted'],
    ['limited', (index) => index.upsert({ ...record, scope: { projects: [{ project: 'a' }] } }), 'scope'],
    ['given other groups', (index) => index.upsert({ ...record, groups: ['g'] }), 'other groups'],
    ['given away', (index) => index.upsert({ ...record, owner: { kind: 'user', name: 'bob' } }), 'another owner'],
    ['of a locked owner', (index) => index.ownerChanged(record.owner, 'owner-locked'), 'locked'],
    ['of a removed owner', (index) => index.ownerChanged(record.owner, 'owner-gone'), 'removed'],
  ])('cuts what a key has opened that is %s', (_, change, reason) => {
    const index = indexOf([record])
    const signal = index.revokedSignal('uid-1', minted.keyId)
    expect(signal.aborted).toBe(false)
    change(index)
    expect(signal.aborted).toBe(true)
    expect(String(signal.reason)).toContain(reason)
  })

  it.each<readonly [string, (index: KeyIndex) => void]>([
    ['activity was stored', (index) => index.upsert({ ...record, lastActivityMs: start })],
    ['it may live longer', (index) => index.upsert({ ...record, ttlSeconds: 1_000_000 })],
    ['its scope was written again', (index) => index.upsert({ ...record, scope: {} })],
    ['another user was locked', (index) => index.ownerChanged({ kind: 'user', name: 'bob' }, 'owner-locked')],
    ['a team of that name was locked', (index) => index.ownerChanged({ kind: 'team', name: 'alice' }, 'owner-gone')],
    ['another key was removed', (index) => index.remove('uid-2')],
    ['nothing has expired', (index) => index.takeExpired(start + 1e12)],
  ])('leaves alone what a key has opened when %s', (_, change) => {
    const index = indexOf([record])
    const signal = index.revokedSignal('uid-1', minted.keyId)
    change(index)
    expect(signal.aborted).toBe(false)
    expect(index.revokedSignal('uid-1', minted.keyId)).toBe(signal)
  })

  it('gives a new signal once the key is good again', () => {
    const index = indexOf([record])
    index.revokedSignal('uid-1', minted.keyId)
    index.upsert({ ...record, disabled: true })
    expect(index.revokedSignal('uid-1', minted.keyId).aborted).toBe(true)
    index.upsert(record)
    expect(index.revokedSignal('uid-1', minted.keyId).aborted).toBe(false)
    expect(index.revokedSignal('uid-1', 'another').aborted).toBe(true)
    expect(index.revokedSignal('nobody', minted.keyId).aborted).toBe(true)
  })

  it('happens on expiry, on time, and is announced once', () => {
    const index = indexOf([{ ...record, ttlSeconds: 100 }])
    const signal = index.revokedSignal('uid-1', minted.keyId)
    expect(index.takeExpired(start + 99_999)).toEqual([])
    expect(signal.aborted).toBe(false)
    expect(index.takeExpired(start + 100_000)).toEqual([{ uid: 'uid-1', name: 'ci', what: 'key' }])
    expect(signal.aborted).toBe(true)
    expect(index.revokedSignal('uid-1', minted.keyId).aborted).toBe(true)
    index.upsert({ ...record, ttlSeconds: 100 })
    expect(index.takeExpired(start + 200_000)).toEqual([])
  })

  it('is put off for a key that is used, and comes earlier for one that is shortened', () => {
    const sliding = { ...record, ttlSeconds: 100, ttlAfterLastActivity: true }
    const index = indexOf([sliding])
    index.touch('uid-1', start + 60_000, '::1')
    expect(index.takeExpired(start + 100_000)).toEqual([])
    expect(index.takeExpired(start + 159_999)).toEqual([])
    index.upsert({ ...record, ttlSeconds: 120 })
    expect(index.takeExpired(start + 120_000)).toHaveLength(1)
    index.upsert({ ...record, ttlSeconds: 500 })
    expect(stateAt(index, start + 120_000)).toBe('valid')
    expect(index.takeExpired(start + 500_000)).toHaveLength(1)
  })

  it('comes in the order of time, and not for removed keys', () => {
    const ends = [50, 10, 40, 20, 30, 25, 45, 15]
    const index = indexOf(
      ends.map((ttlSeconds) => ({
        ...record,
        uid: `${ttlSeconds}`,
        hash: mintKey(systemRandom).hash,
        ttlSeconds,
      })),
    )
    index.remove('20')
    const order: string[] = []
    for (let nowMs = start; nowMs <= start + 60_000; nowMs += 1000) {
      order.push(...index.takeExpired(nowMs).map(({ uid }) => uid))
    }
    expect(order).toEqual(['10', '15', '25', '30', '40', '45', '50'])
  })
})

describe('a refresh token of a user who signed in at a provider', () => {
  const [session, refresh] = [mintKey(systemRandom), mintKey(systemRandom)]
  const identity = { kind: 'identity', connector: 'corp' } as const
  const latestEndMs = start + 100_000
  const login: KeyRecord = {
    ...record,
    uid: 'uid-login',
    hash: session.hash,
    type: 'Login',
    ttlSeconds: 50,
    session: { startedWith: identity, latestEndMs },
  }
  const token: KeyRecord = {
    ...record,
    name: 'oidc-1',
    uid: 'uid-refresh',
    hash: refresh.hash,
    type: 'OIDCRefreshToken',
    session: { startedWith: { ...identity, session: 'uid-login' }, latestEndMs },
  }
  const stateOf = (index: KeyIndex, nowMs = start) => index.checkSession(refresh.hash, nowMs).state

  it('is good as long as the session', () => {
    const index = indexOf([login, token])
    expect(stateOf(index)).toBe('valid')
    expect(stateOf(index, start + 49_999)).toBe('valid')
    expect(stateOf(index, start + 50_000)).toBe('expired')
  })

  it.each<readonly [string, (index: KeyIndex) => void]>([
    ['is removed', (index) => index.remove('uid-login')],
    ['is disabled', (index) => index.upsert({ ...login, disabled: true })],
    ['expires', (index) => index.takeExpired(start + 50_000)],
  ])('ends for good when the session %s', (_, end) => {
    const index = indexOf([login, token])
    end(index)
    expect(stateOf(index)).not.toBe('valid')
    expect(index.takeEndedSessions(start + 50_000).map(({ name }) => name)).toContain('oidc-1')
    index.upsert(login)
    expect(stateOf(index)).not.toBe('valid')
  })

  it('is not good with another session, or a key that is none', () => {
    expect(stateOf(indexOf([{ ...login, uid: 'uid-other' }, token]))).toBe('unknown')
    expect(stateOf(indexOf([{ ...login, session: undefined }, token]))).toBe('unknown')
  })
})
