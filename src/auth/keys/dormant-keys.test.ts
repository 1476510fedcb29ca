import { describe, expect, it } from 'vitest'
import { minted, minute, record, start, stateAt, token } from '../../../tests/support/examples/key.ts'
import { systemRandom } from '../../base/random.ts'
import type { KeyIndex, KeyRecord } from './contract.ts'
import { createKeyIndex, createLazyKeyIndex } from './index/key-index.ts'
import { mintKey } from './values/key-value.ts'

const compileScope = () => undefined

function indexWith(change: Partial<KeyRecord>): KeyIndex {
  const index = createKeyIndex({ compileScope })
  index.upsert({ ...record, ...change })
  return index
}

describe('a key that has not been used since the start', () => {
  const reads: string[] = []
  const lazyIndex = (records: readonly KeyRecord[], asleepUntilMs = Number.POSITIVE_INFINITY) => {
    reads.length = 0
    const index = createLazyKeyIndex({ compileScope }, (source: KeyRecord) => {
      reads.push(source.name)
      return source
    })
    const taken = records.map((each) => index.addDormant({ uid: each.uid, hash: each.hash, asleepUntilMs }, each))
    return { index, taken }
  }
  const other = mintKey(systemRandom)
  const second: KeyRecord = { ...record, name: 'cd', uid: 'uid-2', keyId: other.keyId, hash: other.hash }

  it.each<[string, Partial<KeyRecord>, string]>([
    ['valid', {}, 'valid'],
    ['disabled', { disabled: true }, 'disabled'],
    ['being deleted', { deletionRequested: true }, 'deleted'],
    ['expired', { ttlSeconds: 10 }, 'expired'],
  ])('is checked by the first request: %s', (_, change, state) => {
    const { index } = lazyIndex([{ ...record, ...change }, second])
    expect(reads).toEqual([])
    expect(stateAt(index, start + minute)).toBe(state)
    expect(stateAt(index, start + minute)).toBe(state)
    expect(reads).toEqual(['ci'])
    expect(index.size).toBe(2)
  })

  it('is found by its uid and by its hash', () => {
    const { index } = lazyIndex([record, second])
    expect(index.find('uid-2')?.name).toBe('cd')
    expect(index.ownerOfHash(record.hash)?.name).toBe('ci')
    expect(index.find('uid-3')).toBeUndefined()
    expect(index.lastUsedFrom('uid-1')).toBeUndefined()
  })

  it('is known to exist without being read, until it is removed', () => {
    const { index } = lazyIndex([record])
    expect([index.has('uid-1'), index.has('uid-2')]).toEqual([true, false])
    expect(reads).toEqual([])
    index.find('uid-1')
    expect(index.has('uid-1')).toBe(true)
    index.remove('uid-1')
    expect(index.has('uid-1')).toBe(false)
  })

  it('changes like any other, and its old state does not return', () => {
    const { index } = lazyIndex([record, second])
    index.upsert({ ...record, disabled: true })
    index.remove('uid-2')
    expect(stateAt(index, start)).toBe('disabled')
    expect(stateAt(index, start, other.value)).toBe('unknown')
    expect(index.size).toBe(1)
    index.upsert({ ...record, keyId: other.keyId, hash: other.hash })
    expect(stateAt(index, start)).toBe('unknown')
    expect(stateAt(index, start, other.value)).toBe('valid')
  })

  it('keeps its value from a later key', () => {
    const { index, taken } = lazyIndex([record, { ...second, hash: record.hash }])
    expect(taken).toEqual([true, false])
    index.upsert({ ...second, hash: record.hash })
    expect(index.check(token, start)).toMatchObject({ state: 'valid', key: { name: 'ci' } })
    index.remove('uid-2')
    expect(stateAt(index, start)).toBe('valid')
  })

  it('is not added twice under one uid', () => {
    expect(lazyIndex([record, { ...second, uid: 'uid-1' }]).taken).toEqual([true, false])
  })

  it('is reported when its end is near, and when it has ended, each once', () => {
    const { index } = lazyIndex([{ ...record, ttlSeconds: 100 }, second], start + 90_000)
    expect(index.takeExpired(start + 89_999)).toEqual([])
    expect(reads).toEqual([])
    expect(index.takeExpired(start + 90_000)).toEqual([])
    expect(index.takeNearEnds()).toEqual([{ uid: 'uid-1', name: 'ci', endMs: start + 100_000 }])
    expect(index.takeExpired(start + 100_000)).toEqual([{ uid: 'uid-1', name: 'ci', what: 'key' }])
    expect(index.takeExpired(start + 200_000)).toEqual([])
    expect(index.takeNearEnds()).toEqual([])
  })

  it('is cut in time once it is in use, however many others have ended before it', () => {
    const ended = Array.from({ length: 3_000 }, (_, number) => {
      const { keyId, hash } = mintKey(systemRandom)
      return { ...record, name: `ended-${number}`, uid: `ended-${number}`, keyId, hash, ttlSeconds: 1 }
    })
    const { index } = lazyIndex([...ended, { ...record, ttlSeconds: 100 }], start)
    expect(stateAt(index, start + 99_000)).toBe('valid')
    const signal = index.revokedSignal('uid-1', minted.keyId)
    const first = index.takeExpired(start + 100_000)
    expect(signal.aborted).toBe(true)
    const told = [first, ...[1, 2, 3, 4].map(() => index.takeExpired(start + 100_000))].flat()
    expect(new Set(told.map(({ uid }) => uid)).size).toBe(3_001)
    expect(told).toHaveLength(3_001)
  })
})

describe('the last part of a life', () => {
  it.each([
    ['is far', 100, 89_999, undefined],
    ['is near', 100, 90_000, start + 100_000],
    ['never comes', 0, 1e12, undefined],
  ])('that %s is reported with the check', (_, ttlSeconds, laterMs, endsSoonMs) => {
    const check = indexWith({ ttlSeconds }).check(token, start + laterMs)
    expect(check).toMatchObject({ state: 'valid' })
    expect('endsSoonMs' in check ? check.endsSoonMs : undefined).toBe(endsSoonMs)
  })

  it('moves with every use of a sliding key', () => {
    const index = indexWith({ ttlSeconds: 100, ttlAfterLastActivity: true })
    index.touch('uid-1', start + 80_000, '::1')
    index.takeExpired(start + 95_000)
    expect(index.takeNearEnds()).toEqual([])
    index.takeExpired(start + 171_000)
    expect(index.takeNearEnds()).toEqual([{ uid: 'uid-1', name: 'ci', endMs: start + 180_000 }])
  })
})
