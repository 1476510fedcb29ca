import { describe, expect, test } from 'vitest'
import type { ChangeBatch, Store, StoreChange } from '../../../src/storage/contract.ts'
import { bytes, checkBatch, line, takeChanges, written } from '../helpers.ts'
import { eachStore, type TestedStore } from './tested-store.ts'

export function describeWatches(open: () => Promise<TestedStore>): void {
  describe('watches', () => {
    const store = eachStore(open)

    test('a watch reports creation, change and deletion, the last with the previous value', async () => {
      const start = await store().currentRevision()
      const revisions = await writeLife(store(), '/a')
      const changes = await takeChanges(store(), '/', start, 4)
      expect(changes.map(line)).toEqual(['created /a one', 'updated /a two', 'deleted /a two', 'created /a three'])
      expect(changes.map((change) => change.revision)).toEqual(revisions)
    })

    test('a running watch reports the same, as it happens', async () => {
      const start = await store().currentRevision()
      const watching = takeChanges(store(), '/', start, 4)
      await writeLife(store(), '/a')
      expect((await watching).map(line)).toEqual([
        'created /a one',
        'updated /a two',
        'deleted /a two',
        'created /a three',
      ])
    })

    test('a watch resumed at any revision misses nothing and repeats nothing', async () => {
      const start = await store().currentRevision()
      for (let index = 0; index < 6; index++) await writeLife(store(), `/k${index}`)
      const all = await takeChanges(store(), '/', start, 24)
      for (let seen = 0; seen < all.length; seen++) {
        const after = seen === 0 ? start : (all[seen - 1]?.revision ?? 0)
        const rest = await takeChanges(store(), '/', after, all.length - seen)
        expect(rest.map(revisionOf)).toEqual(all.slice(seen).map(revisionOf))
      }
    })

    test('watches that start at any moment under concurrent writes see every change once and in order', async () => {
      const start = await store().currentRevision()
      const watching: Promise<StoreChange[]>[] = []
      const writers = Array.from({ length: 5 }, async (_, writer) => {
        for (let index = 0; index < 40; index++) {
          const revision = await written(store().create(`/w${writer}/${index}`, bytes(String(index))))
          if (index % 8 === 0) watching.push(takeUntil(store(), start, 200), takeFrom(store(), revision, 200 + start))
        }
      })
      await Promise.all(writers)
      const expected = await takeUntil(store(), start, 200)
      expect(expected).toHaveLength(200)
      for (const changes of await Promise.all(watching)) {
        const first = changes[0]?.revision ?? 0
        expect(changes.map(revisionOf)).toEqual(expected.map(revisionOf).filter((revision) => revision >= first))
      }
    })

    test('only changes under the prefix are reported', async () => {
      const start = await store().currentRevision()
      for (const key of ['/a/1', '/ab', '/b/1', '/a/2']) await written(store().create(key, bytes('x')))
      expect((await takeChanges(store(), '/a/', start, 2)).map((change) => change.key)).toEqual(['/a/1', '/a/2'])
    })

    test('with progress, empty batches report the revision that a watch of another prefix has reached', async () => {
      const stop = new AbortController()
      const start = await store().currentRevision()
      const options = { afterRevision: start, signal: stop.signal, progress: true }
      const revision = reaches(store().watch('/a/', options), () => store().currentRevision(), stop)
      await written(store().create('/b/1', bytes('x')))
      await written(store().create('/b/2', bytes('x')))
      expect(await revision).toBeGreaterThan(start)
    })

    test('an aborted watch ends without an error, at once or while it waits', async () => {
      const start = await store().currentRevision()
      const aborted = store().watch('/', { afterRevision: start, signal: AbortSignal.abort() })
      expect(await collect(aborted)).toEqual([])
      const stop = new AbortController()
      const waiting = collect(store().watch('/', { afterRevision: start, signal: stop.signal }))
      await written(store().create('/a', bytes('x')))
      stop.abort()
      expect((await waiting).length).toBeLessThanOrEqual(1)
    })

    test('a consumer that leaves the loop ends its watch', async () => {
      const start = await store().currentRevision()
      await written(store().create('/a', bytes('x')))
      const { signal } = new AbortController()
      for await (const batch of store().watch('/', { afterRevision: start, signal })) {
        expect(batch.changes).toHaveLength(1)
        break
      }
    })

    test('a slow consumer blocks no writer, and still gets everything in order', async () => {
      const start = await store().currentRevision()
      const stop = new AbortController()
      const watch = store().watch('/', { afterRevision: start, signal: stop.signal })[Symbol.asyncIterator]()
      const first = watch.next()
      await written(store().create('/first', bytes('x')))
      const changes = [...((await first).value?.changes ?? [])]
      const revisions = await Promise.all(
        Array.from({ length: 300 }, (_, index) => written(store().create(`/k${index}`, bytes('x'.repeat(100))))),
      )
      while (changes.length < 301) changes.push(...((await watch.next()).value?.changes ?? []))
      stop.abort()
      expect(changes.slice(1).map(revisionOf)).toEqual(revisions.sort((a, b) => a - b))
    })
  })
}

function revisionOf(change: StoreChange): number {
  return change.revision
}

async function writeLife(store: Store, key: string): Promise<number[]> {
  const created = await written(store.create(key, bytes('one')))
  const updated = await written(store.update(key, bytes('two'), created))
  const deleted = await written(store.delete(key, updated))
  return [created, updated, deleted, await written(store.create(key, bytes('three')))]
}

function takeUntil(store: Store, afterRevision: number, count: number): Promise<StoreChange[]> {
  return takeChanges(store, '/', afterRevision, count)
}

/** All changes after a revision in the middle, up to the last write. */
async function takeFrom(store: Store, afterRevision: number, lastRevision: number): Promise<StoreChange[]> {
  const count = lastRevision - afterRevision
  return count <= 0 ? [] : takeChanges(store, '/', afterRevision, count)
}

async function reaches(
  batches: AsyncIterable<ChangeBatch>,
  target: () => Promise<number>,
  stop: AbortController,
): Promise<number> {
  let position = 0
  for await (const batch of batches) {
    position = checkBatch(batch, position)
    expect(batch.changes).toEqual([])
    if (position >= (await target()) && (await target()) > 0) stop.abort()
  }
  return position
}

async function collect(batches: AsyncIterable<ChangeBatch>): Promise<ChangeBatch[]> {
  const collected: ChangeBatch[] = []
  for await (const batch of batches) collected.push(batch)
  return collected
}
