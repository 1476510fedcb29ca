import { timeout } from '../../api/error.ts'
import { KeyedMutex } from '../../base/concurrency/keyed-mutex.ts'
import type { ResourceContext } from '../context.ts'
import type { NamedTarget, WriteAnswer, WriteRequest } from '../contract.ts'
import type { StoredDocument } from '../document.ts'
import type { ChangeOutcome } from './commit-change.ts'

/** Computes the change for the stored object, and writes it unless that has changed meanwhile. */
export type ChangeAttempt = (current: StoredDocument | undefined) => Promise<ChangeOutcome>

const retries = new WeakMap<object, KeyedMutex>()

/**
 * The first attempt runs immediately. A writer that loses a race retries after those that lost one before: hundreds
 * that compute their changes in parallel, of which one can be written, would occupy the event loop for seconds and
 * finish none of their requests. A caller that has left does not retry.
 */
export async function writtenInTurn(
  context: ResourceContext,
  target: NamedTarget,
  { signal }: Pick<WriteRequest, 'signal'>,
  attempt: ChangeAttempt,
): Promise<WriteAnswer> {
  const first = await attempt(context.cache.get(target))
  if (first.outcome === 'done') return first.answer
  return mutexOf(context).run(context.cache.storageKey(target), async () => {
    let current = context.cache.get(target)
    for (;;) {
      if (signal.aborted) throw timeout('the request was over before the object could be written')
      const outcome = await attempt(current)
      if (outcome.outcome === 'done') return outcome.answer
      current = outcome.current
    }
  })
}

function mutexOf({ cache }: ResourceContext): KeyedMutex {
  const mutex = retries.get(cache) ?? new KeyedMutex()
  retries.set(cache, mutex)
  return mutex
}
