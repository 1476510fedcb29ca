import { describe, expect, test } from 'vitest'
import { type Store, StoreUnavailable } from '../../../src/storage/contract.ts'
import { bytes, failure, written } from '../helpers.ts'
import { eachStore, type TestedStore } from './tested-store.ts'

type Call = readonly [string, (store: Store) => Promise<unknown>]

const calls: readonly Call[] = [
  ['get', (store) => store.get('/a')],
  ['list', (store) => store.list('/')],
  ['create', (store) => store.create('/b', bytes('x'))],
  ['update', (store) => store.update('/a', bytes('x'), 1)],
  ['delete', (store) => store.delete('/a', 1)],
  ['currentRevision', (store) => store.currentRevision()],
  ['compactedRevision', (store) => store.compactedRevision()],
  ['compact', (store) => store.compact(1)],
  ['watch', (store) => store.watch('/', { afterRevision: 1, signal: never })[Symbol.asyncIterator]().next()],
]
const never = new AbortController().signal

export function describeLifetime(open: () => Promise<TestedStore>): void {
  describe('closing', () => {
    const store = eachStore(open)

    test.each(calls)('a closed store refuses %s', async (_, call) => {
      await written(store().create('/a', bytes('x')))
      await store().close()
      expect(await failure(call(store()))).toBeInstanceOf(StoreUnavailable)
    })

    test('closing ends a waiting watch with StoreUnavailable', async () => {
      const afterRevision = await store().currentRevision()
      const watch = store().watch('/', { afterRevision, signal: never })[Symbol.asyncIterator]()
      const first = watch.next()
      await written(store().create('/a', bytes('x')))
      await first
      const ended = failure(watch.next())
      await store().close()
      expect(await ended).toBeInstanceOf(StoreUnavailable)
    })

    test('closing while writes are pending settles every one of them', async () => {
      const writes = Array.from({ length: 100 }, (_, index) => store().create(`/k${index}`, bytes('x')))
      const settled = Promise.allSettled(writes)
      await store().close()
      for (const result of await settled) {
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(StoreUnavailable)
      }
    })

    test('closing twice is closing once', async () => {
      await Promise.all([store().close(), store().close()])
      await store().close()
    })
  })
}
