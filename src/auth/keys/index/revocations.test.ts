import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { indexOf, minted, record, start, stateAt } from '../../../../tests/support/examples/key.ts'
import { systemRandom } from '../../../base/random.ts'
import type { KeyIndex, KeyRecord } from '../contract.ts'
import { mintKey } from '../values/key-value.ts'
import { Revocations } from './revocations.ts'

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
  ])('cuts the connections of a key that is %s', (_, change, reason) => {
    const index = indexOf([record])
    const signal = index.revokedSignal('uid-1', minted.keyId)
    expect(signal.aborted).toBe(false)
    change(index)
    expect(signal.aborted).toBe(true)
    expect(String(signal.reason)).toContain(reason)
  })

  it('cuts the connections of a key with the key it was made with, and requests one signal however often', () => {
    const otherMinted = mintKey(systemRandom)
    const made = { ...record, uid: 'uid-3', name: 'made', keyId: otherMinted.keyId, hash: otherMinted.hash }
    const index = indexOf([record, made])
    const madeWith = { uid: 'uid-1', keyId: minted.keyId }
    const signal = index.revokedSignal('uid-3', otherMinted.keyId, madeWith)
    expect(index.revokedSignal('uid-3', otherMinted.keyId, madeWith)).toBe(signal)
    index.upsert({ ...record, disabled: true })
    expect(String(signal.reason)).toContain('disabled')
    expect(index.revokedSignal('uid-3', otherMinted.keyId, madeWith).aborted).toBe(true)
    index.upsert(record)
    expect(index.revokedSignal('uid-3', otherMinted.keyId, madeWith).aborted).toBe(false)
  })

  it.each<readonly [string, (index: KeyIndex) => void]>([
    ['activity was stored', (index) => index.upsert({ ...record, lastActivityMs: start })],
    ['it may live longer', (index) => index.upsert({ ...record, ttlSeconds: 1_000_000 })],
    ['its scope was written again', (index) => index.upsert({ ...record, scope: {} })],
    ['another user was locked', (index) => index.ownerChanged({ kind: 'user', name: 'bob' }, 'owner-locked')],
    ['a team of that name was locked', (index) => index.ownerChanged({ kind: 'team', name: 'alice' }, 'owner-gone')],
    ['another key was removed', (index) => index.remove('uid-2')],
    ['nothing has expired', (index) => index.takeExpired(start + 1e12)],
  ])('keeps the connections of a key when %s', (_, change) => {
    const index = indexOf([record])
    const signal = index.revokedSignal('uid-1', minted.keyId)
    change(index)
    expect(signal.aborted).toBe(false)
    expect(index.revokedSignal('uid-1', minted.keyId)).toBe(signal)
  })

  it('gives a new signal once the key is valid again', () => {
    const index = indexOf([record])
    index.revokedSignal('uid-1', minted.keyId)
    index.upsert({ ...record, disabled: true })
    expect(index.revokedSignal('uid-1', minted.keyId).aborted).toBe(true)
    index.upsert(record)
    expect(index.revokedSignal('uid-1', minted.keyId).aborted).toBe(false)
    expect(index.revokedSignal('uid-1', 'another').aborted).toBe(true)
    expect(index.revokedSignal('unknown', minted.keyId).aborted).toBe(true)
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

  it('is postponed for a key that is used, and comes earlier for one that is shortened', () => {
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

  it('comes in order of time, and not for removed keys', () => {
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

  it('is valid as long as the session', () => {
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

  it('is not valid with another session, or with a key that is not a session', () => {
    expect(stateOf(indexOf([{ ...login, uid: 'uid-other' }, token]))).toBe('unknown')
    expect(stateOf(indexOf([{ ...login, session: undefined }, token]))).toBe('unknown')
  })
})

describe('keys that have ended by themselves', () => {
  const minuteMs = 60_000

  it('leave nothing behind at the key that they were made with', () => {
    const revocations = new Revocations()
    const parent = revocations.signal('parent', 'p')
    for (let hour = 0; hour < 100; hour += 1) {
      revocations.signal(`made-${hour}`, 'm', parent)
      revocations.forget(`made-${hour}`, hour * 60 * minuteMs)
    }
    expect(getEventListeners(parent, 'abort')).toHaveLength(1)
  })

  it('still have their open connections cut with it, however long these last', () => {
    const revocations = new Revocations()
    const parent = revocations.signal('parent', 'p')
    const made = revocations.signal('made', 'm', parent)
    const late = revocations.signal('late', 'l', parent)
    const cut: string[] = []
    made.addEventListener('abort', () => cut.push('open'))
    revocations.forget('made', 0)
    for (let hour = 1; hour < 10; hour += 1) revocations.forget('none', hour * 60 * minuteMs)
    // A request that was accepted at the last moment begins to listen after the end.
    revocations.forget('late', 600 * minuteMs)
    revocations.forget('none', 609 * minuteMs)
    late.addEventListener('abort', () => cut.push('late'))
    revocations.forget('none', 620 * minuteMs)
    revocations.revokeKey('parent', 'deleted')
    expect(cut.toSorted()).toEqual(['late', 'open'])
  })
})
