import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Store } from '../../src/storage/contract.ts'
import { openEtcdStore } from '../../src/storage/etcd/open.ts'
import { type Etcd, missingEtcd, patientStore, startEtcd } from '../support/stores/etcd.ts'
import { bytes, failure, line, takeChanges, written } from './helpers.ts'

const missing = missingEtcd()

describe.skipIf(missing !== undefined)(
  `an etcd with several users${missing === undefined ? '' : `: ${missing}`}`,
  () => {
    let etcd: Etcd
    let stores: Store[] = []
    let count = 0
    beforeAll(async () => {
      etcd = await startEtcd()
    })
    afterAll(() => etcd?.remove())
    afterEach(async () => {
      await Promise.all(stores.map((store) => store.close()))
      stores = []
    })

    async function open(prefix = `/shared-${count++}`): Promise<Store> {
      const store = await openEtcdStore({
        endpoints: [etcd.endpoint],
        prefix,
        ...patientStore,
        watchBuffer: { changes: 50 },
      })
      stores.push(store)
      return store
    }

    async function writeAndCompact(store: Store, name: string): Promise<void> {
      for (let index = 0; index < 5; index++) await written(store.create(`/${name}-${index}`, bytes('x')))
      await store.compact(await store.currentRevision())
    }

    test('stores with different prefixes are isolated, and none sees the barrier key', async () => {
      const [one, other] = [await open('/shared-a'), await open('/shared-ab')]
      const start = await one.currentRevision()
      await written(other.create('/other', bytes('x')))
      await written(one.create('/one', bytes('x')))
      expect((await one.list('')).items.map(({ key }) => key)).toEqual(['/one'])
      expect((await one.list('/')).items.map(({ key }) => key)).toEqual(['/one'])
      expect((await takeChanges(one, '', start, 1)).map(line)).toEqual(['created /one x'])
      expect(await failure(one.create('/\u0000barrier', bytes('x')))).toBeInstanceOf(RangeError)
    })

    test('two processes on one prefix see the same changes in the same order', async () => {
      const [one, other] = [await open('/shared-two'), await open('/shared-two')]
      const start = await one.currentRevision()
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => written((index % 2 ? one : other).create(`/${index}`, bytes('x')))),
      )
      const seen = await Promise.all([takeChanges(one, '/', start, 20), takeChanges(other, '/', start, 20)])
      expect(seen[0].map(line)).toEqual(seen[1].map(line))
      expect(await one.currentRevision()).toBe(await other.currentRevision())
    })

    test('writes and compactions of others do not make an idle store lose its position', async () => {
      const [quiet, busy] = [await open(), await open()]
      const start = await written(quiet.create('/before', bytes('x')))
      await writeAndCompact(busy, 'early')
      expect(await quiet.currentRevision()).toBe(start)
      const watch = quiet.watch('/', { afterRevision: start, signal: new AbortController().signal, progress: true })
      const batches = watch[Symbol.asyncIterator]()
      // The watch has begun when it reports that nothing was missed; an earlier write would count as compacted.
      expect((await batches.next()).value.changes).toEqual([])
      await written(quiet.create('/after', bytes('x')))
      expect((await batches.next()).value.changes.map(line)).toEqual(['created /after x'])
    })

    test('a watch misses no deletion that was compacted just before it started', async () => {
      const store = await open()
      const created = await written(store.create('/a', bytes('x')))
      const deleted = await written(store.delete('/a', created))
      await store.compact(deleted)
      const { signal } = new AbortController()
      const watch = store.watch('/', { afterRevision: deleted - 1, signal })[Symbol.asyncIterator]()
      expect(await failure(watch.next())).toMatchObject({ name: 'RevisionCompacted', oldest: deleted })
    })

    test('a list larger than a gRPC message is complete', async () => {
      const store = await open()
      const value = Buffer.alloc(1_000_000, 'x')
      for (let index = 0; index < 12; index++) await written(store.create(`/large-${index}`, value))
      const { items } = await store.list('/')
      expect(items.map(({ value }) => value.byteLength)).toEqual(Array(12).fill(1_000_000))
      expect((await takeChanges(store, '/', firstRevision(items), 11)).length).toBe(11)
    })

    test('a value that is too large for etcd is refused as such, not as an outage', async () => {
      const store = await open()
      expect(await failure(store.create('/a', Buffer.alloc(3_000_000)))).toBeInstanceOf(RangeError)
      await written(store.create('/a', bytes('x')))
    })

    test('a watcher that falls behind its buffer catches up and misses nothing', async () => {
      const store = await open()
      const start = await store.currentRevision()
      const stop = new AbortController()
      const watch = store.watch('/', { afterRevision: start, signal: stop.signal })[Symbol.asyncIterator]()
      const first = watch.next()
      const revisions = [await written(store.create('/first', bytes('x')))]
      const changes = [...((await first).value?.changes ?? [])]
      for (let index = 0; index < 200; index++) revisions.push(await written(store.create(`/${index}`, bytes('x'))))
      while (changes.length < 201) changes.push(...((await watch.next()).value?.changes ?? []))
      stop.abort()
      expect(changes.map(({ revision }) => revision)).toEqual(revisions)
    })

    test('concurrent reads of the current revision are shared, and none is older than its caller', async () => {
      const store = await open()
      const answers = Array.from({ length: 30 }, async (_, index) => {
        const revision = await written(store.create(`/${index}`, bytes('x')))
        expect(await store.currentRevision()).toBeGreaterThanOrEqual(revision)
      })
      await Promise.all(answers)
    })
  },
)

function firstRevision(items: readonly { readonly revision: number }[]): number {
  return Math.min(...items.map(({ revision }) => revision))
}
