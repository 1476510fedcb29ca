import type { Engine } from './context.ts'
import { HistoryMarks } from './history-marks.ts'

const intervalMs = 10_000

/** Compacts history that is older than a few minutes or too large, so that a store does not grow with every write. */
export function startCompaction({ store, feed }: Pick<Engine, 'store' | 'feed'>): () => void {
  const marks = new HistoryMarks()
  const timer = setInterval(() => {
    const oldest = marks.add({ revision: feed.revision, bytes: feed.deliveredBytes })
    if (oldest !== undefined && oldest > 0) store.compact(oldest).catch(() => {})
  }, intervalMs)
  timer.unref()
  return () => clearInterval(timer)
}
