import type { Engine } from './context.ts'

const intervalMs = 60_000
/** Clients that were away resume from the revision they saw last: five minutes at the least. */
const keptIntervals = 6

/** Forgets history that is older than a few minutes, so that a store does not grow with every write. */
export function startCompaction(engine: Pick<Engine, 'store' | 'feed'>): () => void {
  const marks: number[] = [engine.feed.revision]
  const timer = setInterval(() => {
    marks.push(engine.feed.revision)
    if (marks.length <= keptIntervals) return
    const oldest = marks.shift()
    if (oldest !== undefined && oldest > 0) engine.store.compact(oldest).catch(() => {})
  }, intervalMs)
  timer.unref()
  return () => clearInterval(timer)
}
