import { expect, it } from 'vitest'
import type { ResourceContext } from '../context.ts'
import type { WriteAnswer } from '../contract.ts'
import type { StoredDocument } from '../document.ts'
import type { ChangeOutcome } from './commit-change.ts'
import { writtenInTurn } from './written-in-turn.ts'

const answer = {} as WriteAnswer
const target = { namespace: 'n', name: 'a' }

/** One object of which only the version matters. */
function world() {
  let version = 0
  let attempts = 0
  const document = () => ({ revision: version }) as StoredDocument
  const context = { cache: { get: document, storageKey: () => 'a' } } as unknown as ResourceContext
  const attempt = async (current: StoredDocument | undefined): Promise<ChangeOutcome> => {
    attempts += 1
    await new Promise(setImmediate)
    if (current?.revision !== version) return { outcome: 'again', current: document() }
    version += 1
    return { outcome: 'done', answer }
  }
  return {
    attempts: () => attempts,
    write: (signal: AbortSignal) => writtenInTurn(context, target, { signal }, attempt),
  }
}

it('each of many concurrent writers computes its change at most twice', async () => {
  const { write, attempts } = world()
  const { signal } = new AbortController()
  await Promise.all(Array.from({ length: 100 }, () => write(signal)))
  expect(attempts()).toBe(199)
})

it('a writer that was aborted does not retry', async () => {
  const { write, attempts } = world()
  const gone = new AbortController()
  const written = Promise.allSettled([write(new AbortController().signal), write(gone.signal), write(gone.signal)])
  gone.abort()
  expect((await written).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(attempts()).toBe(3)
})
