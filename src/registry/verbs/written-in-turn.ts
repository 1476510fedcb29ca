import { timeout } from '../../api/error.ts'
import { OneByOne } from '../../base/one-by-one.ts'
import type { ResourceContext } from '../context.ts'
import type { NamedTarget, WriteAnswer, WriteRequest } from '../contract.ts'
import type { StoredDocument } from '../document.ts'
import type { ChangeOutcome } from './commit-change.ts'

/** Works out the change for what is stored, and writes it unless that has become another meanwhile. */
export type ChangeAttempt = (current: StoredDocument | undefined) => Promise<ChangeOutcome>

const retries = new WeakMap<object, OneByOne>()

/**
 * The first attempt is made at once. Who loses a race comes again when those who lost one before are through: hundreds that work out their
 * changes side by side, of which one can be written, would keep the event loop for seconds and end none of their requests. Who has gone
 * meanwhile does not come again.
 */
export async function writtenInTurn(
  context: ResourceContext,
  target: NamedTarget,
  { signal }: Pick<WriteRequest, 'signal'>,
  attempt: ChangeAttempt,
): Promise<WriteAnswer> {
  const first = await attempt(context.cache.get(target))
  if (first.outcome === 'done') return first.answer
  return turnsOf(context).take(context.cache.storageKey(target), async () => {
    let current = context.cache.get(target)
    for (;;) {
      if (signal.aborted) throw timeout('the request was over before the object could be written')
      const outcome = await attempt(current)
      if (outcome.outcome === 'done') return outcome.answer
      current = outcome.current
    }
  })
}

function turnsOf({ cache }: ResourceContext): OneByOne {
  const turns = retries.get(cache) ?? new OneByOne()
  retries.set(cache, turns)
  return turns
}
