import { describe, expect, test } from 'vitest'
import { RevisionCompacted, type Store } from '../../../src/storage/contract.ts'
import { bytes, failure, line, takeChanges, text, written } from '../helpers.ts'
import { eachStore, type TestedStore } from './tested-store.ts'

export function describeCompaction(open: () => Promise<TestedStore>): void {
  describe('compaction', () => {
    const store = eachStore(open)

    test('the current state and the history from the compacted revision on are kept', async () => {
      const past = await writePast(store())
      await store().compact(past.middle)
      expect(await store().compactedRevision()).toBe(past.middle)
      expect(await stateAt(store(), undefined)).toEqual(['/changed=3', '/created-again=2', '/kept=1'])
      expect(await stateAt(store(), past.middle)).toEqual(['/changed=2', '/gone=1', '/kept=1'])
      const changes = await takeChanges(store(), '/', past.middle, 3)
      expect(changes.map(line)).toEqual(['created /created-again 2', 'updated /changed 3', 'deleted /gone 1'])
    })

    test('older revisions are refused with the oldest available one', async () => {
      const past = await writePast(store())
      await store().compact(past.middle)
      const requested = past.middle - 1
      const { signal } = new AbortController()
      const watch = store().watch('/', { afterRevision: requested, signal })[Symbol.asyncIterator]()
      const failures = await Promise.all([
        failure(store().get('/kept', { atRevision: requested })),
        failure(store().list('/', { atRevision: requested })),
        failure(watch.next()),
      ])
      for (const error of failures) {
        expect(error).toBeInstanceOf(RevisionCompacted)
        expect(error).toMatchObject({ requested, oldest: past.middle })
      }
    })

    test('compacting in any steps leaves the same state as not compacting', async () => {
      const start = await store().currentRevision()
      for (let index = 0; index < 8; index++) await writeTurn(store(), `/k${index % 3}`, index)
      const end = await store().currentRevision()
      const before = await stateAt(store(), undefined)
      for (let revision = start + 1; revision <= end; revision++) {
        await store().compact(revision)
        expect(await stateAt(store(), undefined)).toEqual(before)
      }
      await written(store().create('/after', bytes('x')))
      expect((await takeChanges(store(), '/', end, 1)).map(line)).toEqual(['created /after x'])
    })

    test('compacting again to the same or an older revision changes nothing', async () => {
      const past = await writePast(store())
      await store().compact(past.middle)
      await store().compact(past.middle)
      await store().compact(past.middle - 1)
      expect(await store().compactedRevision()).toBe(past.middle)
    })

    test('a deleted and compacted key can be created again', async () => {
      const first = await written(store().create('/a', bytes('one')))
      await store().compact(await written(store().delete('/a', first)))
      expect(await store().get('/a')).toBeUndefined()
      await written(store().create('/a', bytes('two')))
      expect(text((await store().get('/a'))?.value)).toBe('two')
    })

    test('a current watch is not affected by compaction', async () => {
      const stop = new AbortController()
      const afterRevision = await written(store().create('/a', bytes('0')))
      const watch = store().watch('/', { afterRevision, signal: stop.signal })[Symbol.asyncIterator]()
      let revision = afterRevision
      for (let index = 1; index <= 5; index++) {
        const next = watch.next()
        revision = await written(store().update('/a', bytes(String(index)), revision))
        expect((await next).value?.changes.map(line)).toEqual([`updated /a ${index}`])
        await store().compact(revision)
      }
      stop.abort()
    })
  })
}

async function writePast(store: Store): Promise<{ readonly middle: number }> {
  await written(store.create('/kept', bytes('1')))
  const changed = await written(store.create('/changed', bytes('1')))
  const gone = await written(store.create('/gone', bytes('1')))
  const again = await written(store.create('/created-again', bytes('1')))
  const changedAgain = await written(store.update('/changed', bytes('2'), changed))
  const middle = await written(store.delete('/created-again', again))
  await written(store.create('/created-again', bytes('2')))
  await written(store.update('/changed', bytes('3'), changedAgain))
  await written(store.delete('/gone', gone))
  return { middle }
}

async function writeTurn(store: Store, key: string, index: number): Promise<void> {
  const current = await store.get(key)
  const value = bytes(String(index))
  if (current === undefined) await written(store.create(key, value))
  else if (index % 4 === 3) await written(store.delete(key, current.revision))
  else await written(store.update(key, value, current.revision))
}

async function stateAt(store: Store, atRevision: number | undefined): Promise<string[]> {
  const { items } = await store.list('/', atRevision === undefined ? {} : { atRevision })
  return items.map((item) => `${item.key}=${text(item.value)}`)
}
