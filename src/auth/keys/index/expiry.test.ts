import { describe, expect, it } from 'vitest'
import { indexOf, minute, record, start, stateAt } from '../../../../tests/support/examples/key.ts'
import { systemRandom } from '../../../base/random.ts'
import type { KeyRecord } from '../contract.ts'
import { mintKey } from '../values/key-value.ts'

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

  it('slides exactly with every use while the server runs, even when uses are stored', () => {
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

  it('never comes early after a restart, and late only by what may not have been stored', () => {
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

  it('stays when the clock is set back', () => {
    const index = indexOf([{ ...record, ttlSeconds: 100 }])
    expect(stateAt(index, start + 100_000)).toBe('expired')
    expect(stateAt(index, start)).toBe('expired')
  })

  it('stays after a restart with a clock that was set back, until the lifetime is changed', () => {
    const index = indexOf([{ ...record, ttlSeconds: 100, hasExpired: true }])
    expect(stateAt(index, start)).toBe('expired')
    index.upsert({ ...record, ttlSeconds: 200, hasExpired: false })
    expect(stateAt(index, start)).toBe('valid')
  })

  it('is postponed by activity at another replica', () => {
    const index = indexOf([{ ...record, ttlSeconds: 100, ttlAfterLastActivity: true }])
    index.touch('uid-1', start, '::1')
    index.upsert({ ...record, ttlSeconds: 100, ttlAfterLastActivity: true, lastActivityMs: start + 90_000 })
    expect(stateAt(index, start + 189_999)).toBe('valid')
    expect(index.lastActivityMs('uid-1')).toBe(start + 90_000)
  })
})

describe('activity', () => {
  it('is exact at once, and stored at once if none was', () => {
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

  it('is stored more often for a short-lived key, and the last use is never lost', () => {
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

  it('is returned completely when the server stops, and never for a removed key', () => {
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

  it('never moves backward', () => {
    const index = indexOf([record])
    index.touch('uid-1', start + 10, '::1')
    index.touch('uid-1', start + 5, '::1')
    expect(index.lastActivityMs('uid-1')).toBe(start + 10)
  })
})
