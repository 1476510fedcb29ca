import type { Engine, ResourceContext } from './context.ts'
import { HistoryMarks } from './history-marks.ts'

const intervalMs = 10_000

/**
 * Compacts history that is older than a few minutes or too large, so that a store does not grow with every write. The
 * caches forget it earlier: otherwise the memory of a kind would stay as large as its busiest minutes made it. States
 * that paged lists are read from are kept for as long as the store could read them again.
 */
export function startCompaction(
  { store, feed }: Pick<Engine, 'store' | 'feed'>,
  contexts: () => Iterable<Pick<ResourceContext, 'cache' | 'snapshots'>>,
): () => void {
  const marks = new HistoryMarks()
  const compact = async (oldest: number) => {
    await store.compact(oldest).catch(() => {})
    for (const { snapshots } of contexts()) snapshots.forgetBefore(oldest)
  }
  const timer = setInterval(() => {
    const oldest = marks.add({ revision: feed.revision, bytes: feed.deliveredBytes })
    if (oldest !== undefined && oldest > 0) void compact(oldest)
    const { forgettable } = marks
    if (forgettable !== undefined) for (const { cache } of contexts()) cache.history.forgetUpTo(forgettable)
  }, intervalMs)
  timer.unref()
  return () => clearInterval(timer)
}
