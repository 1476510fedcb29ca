import { resourceVersionTooLarge } from '../api/error.ts'
import type { Engine } from './context.ts'

const patienceMs = 3_000

/** Waits until the caches hold every write that was acknowledged, by anybody, before the call. */
export async function caughtUp(engine: Engine): Promise<void> {
  if (engine.store.soleWriter) return
  await reachedWithin(engine, await engine.store.currentRevision())
}

/** Waits until the caches hold the revision; one that lies in the future is refused after a while. */
export async function notOlderThan(engine: Engine, revision: number): Promise<void> {
  if (revision > engine.feed.revision) await reachedWithin(engine, revision)
}

async function reachedWithin(engine: Engine, revision: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<void>((_, reject) => {
    timer = setTimeout(
      () => reject(resourceVersionTooLarge(String(revision), String(engine.feed.revision))),
      patienceMs,
    )
  })
  try {
    await Promise.race([engine.feed.reached(revision), patience])
  } finally {
    clearTimeout(timer)
  }
}
