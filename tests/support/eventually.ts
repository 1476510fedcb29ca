const patienceMs = 120_000
const pausesMs = { shortest: 5, longest: 200 }
/** The pause grows with the elapsed time, so that it never adds much to it. */
const pausePart = 0.05
/**
 * Some attempts start a process: without a rest after each of them, polling would take the processor from the polled
 * work.
 */
const rest = { factor: 2, longestMs: 500 }

/** Retries an assertion until it holds; its last error is the failure. */
export async function eventually(
  assertion: () => void | Promise<void>,
  withinMs = patienceMs,
  shortestPauseMs = pausesMs.shortest,
): Promise<void> {
  const start = performance.now()
  for (;;) {
    const triedAt = performance.now()
    try {
      await assertion()
      return
    } catch (error) {
      const now = performance.now()
      if (now - start > withinMs) throw error
      const pauseMs = Math.max(shortestPauseMs, pauseAfter(now - start, now - triedAt))
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

/** The pause before the next attempt, after waiting for `waitedMs`, of which the last attempt took `lastMs`. */
export function pauseAfter(waitedMs: number, lastMs = 0): number {
  const pauseMs = Math.min(Math.max(pausesMs.shortest, waitedMs * pausePart), pausesMs.longest)
  return Math.max(pauseMs, Math.min(lastMs * rest.factor, rest.longestMs))
}
