import type { Engine } from './context.ts'
import { HistoryMarks } from './history-marks.ts'
import type { History } from './watch/history.ts'

const intervalMs = 10_000

/**
 * Compacts history that is older than a few minutes or too large, so that a store does not grow with every write. The
 * caches forget it earlier: otherwise the memory of a kind would stay as large as its busiest minutes made it.
 */
export function startCompaction(
  { store, feed }: Pick<Engine, 'store' | 'feed'>,
  histories: () => Iterable<History>,
): () => void {
  const marks = new HistoryMarks()
  const timer = setInterval(() => {
    const oldest = marks.add({ revision: feed.revision, bytes: feed.deliveredBytes })
    if (oldest !== undefined && oldest > 0) store.compact(oldest).catch(() => {})
    const { forgettable } = marks
    if (forgettable !== undefined) for (const history of histories()) history.forgetUpTo(forgettable)
  }, intervalMs)
  timer.unref()
  return () => clearInterval(timer)
}
