import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { Pace } from '../base/pace.ts'
import {
  type ChangeBatch,
  RevisionCompacted,
  type Store,
  StoreUnavailable,
  type StoreWatchOptions,
} from '../storage/contract.ts'
import { Feed } from './feed.ts'

it('loads the caches again when the history is lost, even if the store is unavailable at that moment', async () => {
  const feed = new Feed(forgetfulStore())
  const reloads: string[] = []
  let isAvailable = false
  feed.connect('/objects/configmaps/', {
    apply: () => {},
    reload: async () => {
      if (!isAvailable) {
        isAvailable = true
        throw new StoreUnavailable('gone for a moment')
      }
      return { revision: 10, take: () => reloads.push('configmaps') }
    },
  })
  await feed.start()
  onTestFinished(() => feed.stop())

  await feed.reached(10)

  expect(reloads).toEqual(['configmaps'])
})

it('loads all caches at one revision, and applies no change before the last is loaded', async () => {
  const feed = new Feed(forgetfulStore())
  const steps: string[] = []
  for (const kind of ['configmaps', 'secrets']) {
    feed.connect(`/objects/${kind}/`, {
      apply: () => {},
      reload: async (atRevision) => {
        steps.push(`read ${kind} at ${atRevision}`)
        return { revision: 10, take: () => steps.push(`take ${kind} before ${feed.revision}`) }
      },
    })
  }
  await feed.start()
  onTestFinished(() => feed.stop())

  await feed.reached(10)

  expect(steps).toEqual([
    'read configmaps at undefined',
    'read secrets at 10',
    'take configmaps before 1',
    'take secrets before 1',
  ])
})

it('leaves nothing behind of aborted waits for a revision', async () => {
  const feed = new Feed(forgetfulStore())
  feed.connect('/objects/configmaps/', { apply: () => {}, reload: async () => ({ revision: 10, take: () => {} }) })
  await feed.start()
  const gone = new AbortController()
  const waiting = [1, 2, 3].map((each) => feed.reached(1_000_000 + each, gone.signal))
  const staying = feed.reached(1_000_000)
  expect(feed.waiting).toBe(4)
  gone.abort()
  await Promise.all(waiting)
  await feed.reached(1_000_000, gone.signal)
  expect(feed.waiting).toBe(1)
  await feed.stop()
  await staying
  expect(feed.waiting).toBe(0)
})

it('applies many changes over several iterations of the event loop, those of one revision together', async () => {
  const changes = Array.from({ length: 200 }, (_, index) => ({
    type: 'created' as const,
    key: `/objects/core/configmaps/a/${index}`,
    value: Buffer.from('{}'),
    revision: 2 + Math.floor(index / 40),
  }))
  const feed = new Feed(storeWith({ changes, revision: 9 }))
  const parts: { readonly revisions: readonly number[]; readonly turn: number; readonly before: number }[] = []
  let turn = 0
  let isOver = false
  const count = () => {
    turn += 1
    if (!isOver) setImmediate(count)
  }
  count()
  feed.connect('/objects/core/configmaps/', {
    apply: (applied) => {
      parts.push({ revisions: [...new Set(applied.map(({ revision }) => revision))], turn, before: feed.revision })
      for (const end = performance.now() + 8; performance.now() < end; );
    },
    reload: async () => ({ revision: 1, take: () => {} }),
  })
  await feed.start()
  onTestFinished(() => feed.stop())
  await feed.reached(9)
  isOver = true
  expect(parts.map(({ revisions }) => revisions)).toEqual([[2], [3], [4], [5], [6]])
  expect(parts.map(({ before }) => before)).toEqual([1, 2, 3, 4, 5])
  expect(new Set(parts.map((part) => part.turn)).size).toBe(5)
})

it('does not wait for all other long tasks', async () => {
  const changes = Array.from({ length: 160 }, (_, index) => ({
    type: 'created' as const,
    key: `/objects/core/configmaps/a/${index}`,
    value: Buffer.from('{}'),
    revision: 2 + index,
  }))
  const feed = new Feed(storeWith({ changes, revision: 161 }))
  let parts = 0
  feed.connect('/objects/core/configmaps/', {
    apply: () => {
      parts += 1
      for (const end = performance.now() + 8; performance.now() < end; );
    },
    reload: async () => ({ revision: 1, take: () => {} }),
  })
  let [rests, isOver] = [0, false]
  const work = async () => {
    for (const pace = new Pace(); !isOver; rests += 1) await pace.rest()
  }
  const others = Array.from({ length: 100 }, work)
  await feed.start()
  onTestFinished(() => feed.stop())
  await feed.reached(161)
  isOver = true
  await Promise.all(others)
  expect(parts).toBe(10)
  expect(rests).toBeLessThan(5 * 100)
})

/** Delivers one batch. */
function storeWith(batch: ChangeBatch): Store {
  return {
    ...forgetfulStore(),
    currentRevision: async () => 1,
    async *watch(_: string, { signal }: StoreWatchOptions): AsyncGenerator<ChangeBatch> {
      yield batch
      await delay(60_000, undefined, { signal }).catch(() => {})
    },
  }
}

/** Has compacted everything before revision 10. */
function forgetfulStore(): Store {
  const unused = () => Promise.reject(new Error('not part of this test'))
  let revision = 1
  return {
    soleWriter: false,
    get: unused,
    list: unused,
    create: unused,
    update: unused,
    delete: unused,
    compact: unused,
    compactedRevision: unused,
    close: () => Promise.resolve(),
    currentRevision: async () => revision,
    async *watch(_: string, { afterRevision, signal }: StoreWatchOptions): AsyncGenerator<ChangeBatch> {
      revision = 10
      if (afterRevision < revision) throw new RevisionCompacted(afterRevision, revision)
      await delay(60_000, undefined, { signal }).catch(() => {})
    },
  }
}
