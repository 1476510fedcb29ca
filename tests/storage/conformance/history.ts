import { describe, expect, test } from 'vitest'
import { StoreUnavailable } from '../../../src/storage/contract.ts'
import { bytes, failure, text, written } from '../helpers.ts'
import { eachStore, type TestedStore } from './tested-store.ts'

export function describeHistory(open: () => Promise<TestedStore>): void {
  describe('history', () => {
    const store = eachStore(open)

    test('a read at a revision returns the state of that revision', async () => {
      const other = await written(store().create('/other', bytes('x')))
      const first = await written(store().create('/a', bytes('one')))
      const second = await written(store().update('/a', bytes('two'), first))
      const deleted = await written(store().delete('/a', second))
      const again = await written(store().create('/a', bytes('three')))
      const at = async (atRevision: number) => text((await store().get('/a', { atRevision }))?.value)
      expect([await at(other), await at(first), await at(second), await at(deleted), await at(again)]).toEqual([
        undefined,
        'one',
        'two',
        undefined,
        'three',
      ])
      expect((await store().get('/a', { atRevision: second }))?.revision).toBe(second)
    })

    test('a future revision cannot be read', async () => {
      const revision = await written(store().create('/a', bytes('one')))
      const error = await failure(store().get('/a', { atRevision: revision + 1_000_000 }))
      expect(error).toBeInstanceOf(StoreUnavailable)
      expect(await failure(store().list('/', { atRevision: revision + 1_000_000 }))).toBeInstanceOf(StoreUnavailable)
    })

    test('the current revision covers every write acknowledged before the call', async () => {
      for (let index = 0; index < 20; index++) {
        const revisions = await Promise.all([0, 1, 2].map((n) => written(store().create(`/${index}-${n}`, bytes('x')))))
        expect(await store().currentRevision()).toBeGreaterThanOrEqual(Math.max(...revisions))
      }
    })
  })
}
