import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import {
  type ChangeBatch,
  RevisionCompacted,
  type Store,
  StoreUnavailable,
  type WatchOptions,
} from '../storage/contract.ts'
import { Feed } from './feed.ts'

it('loads the caches again when the history is lost, also if the store is gone at just that moment', async () => {
  const store = forgetfulStore(['available', 'unavailable', 'available'])
  const feed = new Feed(store)
  const reloads: string[] = []
  feed.connect('/objects/configmaps/', {
    apply: () => {},
    reload: async () => {
      reloads.push('configmaps')
    },
  })
  await feed.start()
  onTestFinished(() => feed.stop())

  await feed.reached(10)

  expect(reloads).toEqual(['configmaps'])
})

/** Has forgotten everything before revision 10, and is there or not each time it is asked for its revision. */
function forgetfulStore(answers: ('available' | 'unavailable')[]): Store {
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
    currentRevision: async () => {
      if (answers.shift() === 'unavailable') throw new StoreUnavailable('gone for a moment')
      return revision
    },
    async *watch(_: string, { afterRevision, signal }: WatchOptions): AsyncGenerator<ChangeBatch> {
      revision = 10
      if (afterRevision < revision) throw new RevisionCompacted(afterRevision, revision)
      await delay(60_000, undefined, { signal }).catch(() => {})
    },
  }
}
