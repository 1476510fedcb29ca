import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ChangeBatch, type Store, StoreLocked, StoreUnavailable } from '../../src/storage/contract.ts'
import { openEnvironment, takeOwnership } from '../../src/storage/lmdb/environment.ts'
import { type LmdbStoreOptions, openLmdbStore } from '../../src/storage/lmdb/open.ts'
import { stateKey } from '../../src/storage/lmdb/state.ts'
import { bytes, conflicting, failure, line, takeChanges, text, written } from './helpers.ts'

describe('lmdb store', () => {
  let directory: string
  let stores: Store[] = []
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenant-lmdb-'))
  })
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()))
    stores = []
    await rm(directory, { recursive: true })
  })

  async function open(options: Partial<LmdbStoreOptions> = {}): Promise<Store> {
    const store = await openLmdbStore({ directory, ...options })
    stores.push(store)
    return store
  }

  test('more concurrent lists than LMDB has readers wait for each other, and the store continues', async () => {
    const store = await open()
    await written(store.create('/first', bytes('1')))
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const lists: Promise<unknown>[] = []
    let begun = 0
    // A write in between, so that each has a separate snapshot.
    for (let count = 0; count < 150; count++) {
      const hold = () => {
        begun += 1
        return released
      }
      lists.push(store.list('/first', { each: hold }))
      await written(store.create(`/more-${count}`, bytes('2')))
    }
    expect(begun).toBeLessThan(126)
    expect(text((await store.get('/first'))?.value)).toBe('1')
    release()
    await Promise.all(lists)
    expect(begun).toBe(150)
    await written(store.create('/last', bytes('3')))
  })

  test('after reopening it has the same state and history, and continues its revisions', async () => {
    const first = await open()
    const created = await written(first.create('/a', bytes('1')))
    const updated = await written(first.update('/a', bytes('2'), created))
    await first.close()
    const second = await open()
    expect(await second.currentRevision()).toBe(updated)
    expect((await takeChanges(second, '/', 0, 2)).map(line)).toEqual(['created /a 1', 'updated /a 2'])
    expect(await written(second.update('/a', bytes('3'), updated))).toBe(updated + 1)
  })

  test('after reopening an empty compacted store, no revision is reused', async () => {
    const first = await open()
    const deleted = await written(first.delete('/a', await written(first.create('/a', bytes('1')))))
    await first.compact(deleted)
    await first.close()
    const second = await open()
    expect(await second.compactedRevision()).toBe(deleted)
    expect(await written(second.create('/a', bytes('2')))).toBe(deleted + 1)
  })

  test('concurrent operations are decided in order of arrival, each seeing its predecessors', async () => {
    const store = await open()
    const start = await store.currentRevision()
    const results = [
      store.create('/a', bytes('1')),
      store.create('/a', bytes('2')),
      store.update('/a', bytes('3'), start + 1),
      store.delete('/a', start + 2),
      store.update('/a', bytes('4'), start + 2),
      store.create('/a', bytes('5')),
    ] as const
    expect(text((await conflicting(results[1]))?.value)).toBe('1')
    expect(await conflicting(results[4])).toBeUndefined()
    expect(await written(results[5])).toBe(start + 4)
    const changes = await takeChanges(store, '/', start, 4)
    expect(changes.map(line)).toEqual(['created /a 1', 'updated /a 3', 'deleted /a 3', 'created /a 5'])
  })

  test('closing makes pending writes durable first', async () => {
    const store = await open()
    const writes = Array.from({ length: 50 }, (_, index) => store.create(`/k${index}`, bytes('x')))
    const settled = Promise.allSettled(writes)
    await new Promise((resolve) => setImmediate(resolve))
    await store.close()
    const successes = (await settled).filter(({ status }) => status === 'fulfilled').length
    expect((await (await open()).list('/')).items).toHaveLength(successes)
  })

  test('an open directory cannot be opened a second time, until it is closed', async () => {
    const store = await open()
    const error = await failure(openLmdbStore({ directory }))
    expect(error).toBeInstanceOf(StoreLocked)
    expect(error).toMatchObject({ message: expect.stringContaining(directory) })
    await store.close()
    await open()
    expect(readdirSync(directory).filter((name) => /^owner\.[0-9]+$/.test(name))).toEqual(['owner.2'])
  })

  test('a process that lost the store can no longer write to it', async () => {
    const store = await open()
    await written(store.create('/a', bytes('1')))
    const usurper = openEnvironment(directory)
    takeOwnership(usurper, directory)
    await usurper.root.close()
    const error = await failure(store.create('/b', bytes('1')))
    expect(error).toMatchObject({ name: 'StoreUnavailable', outcomeUnknown: false })
    expect(await failure(store.get('/a'))).toBeInstanceOf(StoreUnavailable)
    await store.close()
    expect((await (await open()).list('/')).items.map(({ key }) => key)).toEqual(['/a'])
  })

  test.each([
    ['a newer format', Buffer.from([0, 0, 0, 9, 1, 2, 3]), /format 9, this version reads up to 2/],
    ['a damaged state record', Buffer.from([0, 0, 0, 1, 1, 2, 3]), /is damaged/],
  ])('%s is refused with a clear message, and the lock is released', async (_, state, message) => {
    await (await open()).close()
    const environment = openEnvironment(directory)
    environment.meta.putSync(stateKey, state, 1)
    await environment.root.close()
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(await failure(openLmdbStore({ directory }))).toMatchObject({ message: expect.stringMatching(message) })
    }
  })

  test('a file that is not a database is refused with the name of the directory', async () => {
    writeFileSync(join(directory, 'data.mdb'), Buffer.alloc(100_000, 'no database'))
    const error = await failure(openLmdbStore({ directory }))
    expect(error).toMatchObject({ message: expect.stringContaining(directory) })
  })

  test('empty or too long keys are refused by writes and not found by reads', async () => {
    const store = await open()
    for (const key of ['', `/${'x'.repeat(2_000)}`, `/${'é'.repeat(1_000)}`]) {
      expect(await failure(store.create(key, bytes('x')))).toBeInstanceOf(RangeError)
      expect(await store.get(key)).toBeUndefined()
    }
    expect((await store.list(`/${'x'.repeat(5_000)}`)).items).toEqual([])
    const longest = `/${'x'.repeat(1_977)}`
    await written(store.create(longest, bytes('x')))
    expect((await store.list('/', { afterKey: `/${'w'.repeat(5_000)}` })).items.map(({ key }) => key)).toEqual([
      longest,
    ])
  })

  test('space of compacted history is reused', async () => {
    const store = await open()
    const value = Buffer.alloc(100_000, 'x')
    let revision = await written(store.create('/a', value))
    const sizes: number[] = []
    for (let index = 1; index <= 120; index++) {
      revision = await written(store.update('/a', value, revision))
      if (index % 10 === 0) await store.compact(revision)
      if (index % 40 === 0) sizes.push(statSync(join(directory, 'data.mdb')).size)
    }
    expect(sizes[2]).toBeLessThan((sizes[0] ?? 0) * 1.5)
  })

  test('a watcher that falls behind its buffer continues from the log and misses nothing', async () => {
    const store = await open({ watchBuffer: { changes: 10 } })
    const watch = await startWatch(store)
    const batches = [await watch.first()]
    for (let index = 0; index < 5; index++) {
      await Promise.all(Array.from({ length: 30 }, (_, n) => written(store.create(`/${index}-${n}`, bytes('x')))))
      batches.push(await watch.next())
    }
    while (countOf(batches) < 151) batches.push(await watch.next())
    const revisions = batches.flatMap((batch) => batch.changes.map((change) => change.revision))
    expect(revisions).toEqual(Array.from({ length: 151 }, (_, index) => index + 1))
    watch.stop()
  })

  test('a watcher that falls behind the history gets an error', async () => {
    const store = await open({ watchBuffer: { changes: 10 } })
    const watch = await startWatch(store)
    await watch.first()
    await Promise.all(Array.from({ length: 30 }, (_, n) => written(store.create(`/${n}`, bytes('x')))))
    await store.compact(await store.currentRevision())
    expect(await failure(watch.next())).toMatchObject({ name: 'RevisionCompacted', requested: 1 })
  })
})

/** A watch that has delivered its first change and has no pending read. */
async function startWatch(store: Store) {
  const controller = new AbortController()
  const watch = store.watch('/', { afterRevision: 0, signal: controller.signal })[Symbol.asyncIterator]()
  const next = async (): Promise<ChangeBatch> => {
    const { value } = await watch.next()
    if (value === undefined) throw new Error('the watch ended')
    return value
  }
  const waiting = next()
  await written(store.create('/first', bytes('x')))
  return { first: () => waiting, next, stop: () => controller.abort() }
}

function countOf(batches: readonly ChangeBatch[]): number {
  return batches.reduce((sum, batch) => sum + batch.changes.length, 0)
}
