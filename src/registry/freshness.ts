import { type ApiError, resourceVersionTooLarge, serviceUnavailable } from '../api/error.ts'
import type { Engine } from './context.ts'

/** A request for a revision that may never come fails soon; a revision that the store has reached is on its way. */
const futurePatienceMs = 3_000
const feedPatienceMs = 15_000

/** Waits until the caches hold every write, by any process, that was acknowledged before the call. */
export async function caughtUp(engine: Engine): Promise<void> {
  if (engine.store.soleWriter) return
  const revision = await engine.store.currentRevision()
  await reachedWithin(engine, revision, feedPatienceMs, () =>
    serviceUnavailable('this server is behind its store at the moment; try again'),
  )
}

/** Waits until the caches hold the revision. One that lies in the future is refused after a while. */
export async function notOlderThan(engine: Engine, revision: number): Promise<void> {
  if (revision <= engine.feed.revision) return
  await reachedWithin(engine, revision, futurePatienceMs, () =>
    resourceVersionTooLarge(String(revision), String(engine.feed.revision)),
  )
}

async function reachedWithin(
  engine: Engine,
  revision: number,
  patienceMs: number,
  refusal: () => ApiError,
): Promise<void> {
  const outOfPatience = new AbortController()
  const timer = setTimeout(() => outOfPatience.abort(), patienceMs)
  await engine.feed.reached(revision, outOfPatience.signal)
  clearTimeout(timer)
  if (outOfPatience.signal.aborted) throw refusal()
}
