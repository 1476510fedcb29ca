import { describe, expect, test } from 'vitest'
import type { Store, StoredValue } from '../../../src/storage/contract.ts'
import { bytes, failure, written } from '../helpers.ts'
import { eachStore, type TestedStore } from './tested-store.ts'

export function describeLists(open: () => Promise<TestedStore>): void {
  describe('lists', () => {
    const store = eachStore(open)

    test('a list contains all keys with the prefix, in order, at a revision that covers it', async () => {
      await createAll(store(), ['/b/2', '/a/3', '/a/1', '/a/10', '/a/2', '/ab', '/a'])
      const listed = await store().list('/a/')
      expect(keysOf(listed)).toEqual(['/a/1', '/a/10', '/a/2', '/a/3'])
      expect(listed.remaining).toBe(0)
      expect(listed.revision).toBeGreaterThanOrEqual(await store().currentRevision())
    })

    test('an empty store lists as empty', async () => {
      expect(await store().list('/')).toMatchObject({ items: [], remaining: 0 })
    })

    test('keys that are prefixes of each other are distinct', async () => {
      const keys = ['/a', '/a/', '/a/b', '/a/b/c', '/a0', '/aa']
      await createAll(store(), keys)
      expect(keysOf(await store().list('/a'))).toEqual(keys)
      expect(keysOf(await store().list('/a/'))).toEqual(['/a/', '/a/b', '/a/b/c'])
      expect(keysOf(await store().list('/a/b'))).toEqual(['/a/b', '/a/b/c'])
      expect(keysOf(await store().list(''))).toEqual(keys)
    })

    test('keys are ordered by their bytes, also outside ASCII', async () => {
      const keys = ['/z', '/~', '/é', '/ｆ', '/😀']
      await createAll(store(), [...keys].reverse())
      expect(keysOf(await store().list('/'))).toEqual(keys)
    })

    test('deleted keys are not listed', async () => {
      await createAll(store(), ['/a', '/b', '/c'])
      await deleteKey(store(), '/b')
      const listed = await store().list('/', { limit: 1 })
      expect([keysOf(listed), listed.remaining]).toEqual([['/a'], 1])
      expect(await store().list('/', { limit: 0 })).toMatchObject({ items: [], remaining: 2 })
    })

    test('items can be streamed one by one, whatever their size', async () => {
      const values = [1, 100_000, 10, 3, 70_000].map((length, index) => String(index).repeat(length))
      for (const [index, value] of values.entries()) await written(store().create(`/k/${index}`, bytes(value)))
      const seen: string[] = []
      const each = (item: StoredValue) => void seen.push(Buffer.from(item.value).toString())
      expect(await store().list('/k/', { each })).toMatchObject({ items: [], remaining: 0 })
      expect(seen).toEqual(values)
      expect(await store().list('/k/', { each, limit: 2 })).toMatchObject({ items: [], remaining: 3 })
      expect(seen).toEqual([...values, ...values.slice(0, 2)])
    })

    test('a slow consumer of streamed items delays the list, and sees one consistent state', async () => {
      for (let index = 0; index < 5; index++) await written(store().create(`/k/${index}`, bytes('before')))
      const seen: string[] = []
      let taking = 0
      const each = async ({ key, value }: StoredValue) => {
        const content = Buffer.from(value).toString()
        taking += 1
        expect(taking).toBe(1)
        if (key === '/k/0') await written(store().create('/k/00', bytes('during')))
        await written(store().create(`/other${key}`, bytes('during')))
        taking -= 1
        seen.push(`${key} ${content}`)
      }
      const atRevision = await store().currentRevision()
      expect(await store().list('/k/', { each, atRevision })).toMatchObject({ revision: atRevision, remaining: 0 })
      expect(seen).toEqual([0, 1, 2, 3, 4].map((index) => `/k/${index} before`))
    })

    test('pages at one revision form the whole list, whatever happens in between', async () => {
      const keys = Array.from({ length: 25 }, (_, index) => `/k/${String(index).padStart(2, '0')}`)
      await createAll(store(), keys)
      let page = await store().list('/k/', { limit: 10 })
      const { revision } = page
      const seen = keysOf(page)
      const remaining = [page.remaining]
      while (page.remaining > 0) {
        await deleteKey(store(), keys[seen.length] ?? '')
        await createAll(store(), [`/k/${seen.length}-between`])
        page = await store().list('/k/', { limit: 10, afterKey: seen.at(-1) ?? '', atRevision: revision })
        expect(page.revision).toBe(revision)
        remaining.push(page.remaining)
        seen.push(...keysOf(page))
      }
      expect(seen).toEqual(keys)
      expect(remaining).toEqual([15, 5, 0])
    })

    test.each([
      ['/a/', '/', ['/a/1', '/a/2']],
      ['/a/', '/a/1', ['/a/2']],
      ['/a/', '/a/11', ['/a/2']],
      ['/a/', '/a/2', []],
      ['/a/', '/zzz', []],
      ['', '/a/2', ['/b']],
    ])('a list of %j after %j starts after it and stays inside the prefix', async (prefix, afterKey, expected) => {
      await createAll(store(), ['/a/1', '/a/2', '/b'])
      expect(keysOf(await store().list(prefix, { afterKey }))).toEqual(expected)
    })

    test('a list at an old revision shows that state', async () => {
      await createAll(store(), ['/a', '/b'])
      const before = await store().currentRevision()
      await deleteKey(store(), '/a')
      await createAll(store(), ['/c'])
      const current = await store().get('/b')
      await written(store().update('/b', bytes('new'), current?.revision ?? 0))
      const old = await store().list('/', { atRevision: before })
      expect(old.items.map((item) => `${item.key}=${Buffer.from(item.value)}`)).toEqual(['/a=/a', '/b=/b'])
      expect(old.revision).toBe(before)
      expect(keysOf(await store().list('/'))).toEqual(['/b', '/c'])
    })

    test('thousands of keys are complete and in order', async () => {
      const keys = Array.from({ length: 2_500 }, (_, index) => `/many/${String(index).padStart(5, '0')}`)
      for (let start = 0; start < keys.length; start += 500) await createAll(store(), keys.slice(start, start + 500))
      expect(keysOf(await store().list('/many/'))).toEqual(keys)
      expect(await store().list('/many/', { limit: 3 })).toMatchObject({ remaining: 2_497 })
    })

    test('an aborted read fails with the reason of the abort', async () => {
      const signal = AbortSignal.abort(new Error('the client left'))
      expect(await failure(store().get('/a', { signal }))).toMatchObject({ message: 'the client left' })
      expect(await failure(store().list('/', { signal }))).toMatchObject({ message: 'the client left' })
    })
  })
}

function keysOf(result: { readonly items: readonly { readonly key: string }[] }): string[] {
  return result.items.map((item) => item.key)
}

async function createAll(store: Store, keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => written(store.create(key, bytes(key)))))
}

async function deleteKey(store: Store, key: string): Promise<void> {
  await written(store.delete(key, (await store.get(key))?.revision ?? 0))
}
