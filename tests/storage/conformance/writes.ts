import { describe, expect, test } from 'vitest'
import type { Store } from '../../../src/storage/contract.ts'
import { bytes, conflicting, text, written } from '../helpers.ts'
import { eachStore, type TestedStore } from './tested-store.ts'

export function describeWrites(open: () => Promise<TestedStore>): void {
  describe('writes', () => {
    const store = eachStore(open)

    test('a created value can be read, with the revision of its write', async () => {
      const revision = await written(store().create('/a', bytes('one')))
      expect(await store().get('/a')).toMatchObject({ key: '/a', revision })
      expect(text((await store().get('/a'))?.value)).toBe('one')
      expect(await store().get('/b')).toBeUndefined()
    })

    test('creating an existing key is a conflict with the current value', async () => {
      const revision = await written(store().create('/a', bytes('one')))
      const current = await conflicting(store().create('/a', bytes('two')))
      expect(current?.revision).toBe(revision)
      expect(text(current?.value)).toBe('one')
    })

    test('an update requires the current revision', async () => {
      const first = await written(store().create('/a', bytes('one')))
      const second = await written(store().update('/a', bytes('two'), first))
      expect(second).toBeGreaterThan(first)
      const current = await conflicting(store().update('/a', bytes('three'), first))
      expect([current?.revision, text(current?.value)]).toEqual([second, 'two'])
    })

    test('updating a missing key is a conflict without a value', async () => {
      expect(await conflicting(store().update('/a', bytes('one'), 1))).toBeUndefined()
      expect(await store().get('/a')).toBeUndefined()
    })

    test('a deletion requires the current revision, and has its own revision', async () => {
      const first = await written(store().create('/a', bytes('one')))
      expect((await conflicting(store().delete('/a', first + 1_000_000)))?.revision).toBe(first)
      const deleted = await written(store().delete('/a', first))
      expect(deleted).toBeGreaterThan(first)
      expect(await store().get('/a')).toBeUndefined()
      expect(await conflicting(store().delete('/a', first))).toBeUndefined()
    })

    test('a deleted key can be created again, and its old revision is a conflict', async () => {
      const first = await written(store().create('/a', bytes('one')))
      await written(store().delete('/a', first))
      const second = await written(store().create('/a', bytes('two')))
      expect((await conflicting(store().update('/a', bytes('three'), first)))?.revision).toBe(second)
      expect(text((await store().get('/a'))?.value)).toBe('two')
    })

    test('a conflict does not consume a revision', async () => {
      const first = await written(store().create('/a', bytes('one')))
      await conflicting(store().create('/a', bytes('two')))
      expect(await store().currentRevision()).toBe(first)
    })

    test.each([
      ['empty', new Uint8Array()],
      ['every byte', Uint8Array.from({ length: 256 }, (_, index) => index)],
      ['1.5 MB', Buffer.alloc(1_500_000, 'x')],
    ])('a value is returned byte for byte: %s', async (_, value) => {
      const revision = await written(store().create('/a', value))
      expect(Buffer.from((await store().get('/a'))?.value ?? [1]).equals(value)).toBe(true)
      expect((await store().list('/')).items[0]?.value.byteLength).toBe(value.byteLength)
      await written(store().update('/a', bytes('small'), revision))
    })

    test('changing the bytes after the call changes nothing that was stored', async () => {
      const value = Buffer.from('before')
      const writing = store().create('/a', value)
      value.write('AFTER!')
      await writing
      expect(text((await store().get('/a'))?.value)).toBe('before')
    })

    test.each(['/a/Ünïcödé/键', '/a/%2f..//x', '/__proto__/constructor', '/a b\n'])('a key may be %s', async (key) => {
      await written(store().create(key, bytes('one')))
      expect((await store().list('/')).items.map((item) => item.key)).toEqual([key])
      expect((await store().get(key))?.key).toBe(key)
    })

    test('of many concurrent creations of one key exactly one succeeds, and the others see its value', async () => {
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, index) => store().create('/a', bytes(`from ${index}`))),
      )
      const winners = results.filter((result) => result.outcome === 'written')
      expect(winners).toHaveLength(1)
      const standing = text((await store().get('/a'))?.value)
      for (const result of results) {
        if (result.outcome === 'conflict') expect(text(result.current?.value)).toBe(standing)
      }
    })

    test('30 writers that read, add one and retry on conflict lose no update', async () => {
      await written(store().create('/counter', bytes('0')))
      await Promise.all(Array.from({ length: 30 }, () => increment(store(), '/counter')))
      expect(text((await store().get('/counter'))?.value)).toBe('30')
    })

    test('revisions of all keys form one increasing sequence', async () => {
      const revisions = await Promise.all(
        Array.from({ length: 200 }, (_, index) => written(store().create(`/k${index}`, bytes('x')))),
      )
      expect(new Set(revisions).size).toBe(200)
      expect(await store().currentRevision()).toBe(Math.max(...revisions))
    })
  })
}

async function increment(store: Store, key: string): Promise<void> {
  let current = await store.get(key)
  for (;;) {
    if (current === undefined) throw new Error('the counter is gone')
    const next = bytes(String(Number(text(current.value)) + 1))
    const result = await store.update(key, next, current.revision)
    if (result.outcome === 'written') return
    current = result.current
  }
}
