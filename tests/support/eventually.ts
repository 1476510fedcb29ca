const patienceMs = 60_000
const pausesMs = { shortest: 5, longest: 50 }
/** The longer it has been tried, the less does a longer pause add. */
const pausePart = 0.05
/**
 * Some tries take a process of their own: without a rest after each of them, waiting for something would keep a processor
 * from whatever is waited for.
 */
const rest = { factor: 2, longestMs: 500 }

/** Tries an assertion until it holds; what it last complained about is the failure. */
export async function eventually(assertion: () => void | Promise<void>, withinMs = patienceMs): Promise<void> {
  const start = performance.now()
  for (;;) {
    const triedAt = performance.now()
    try {
      await assertion()
      return
    } catch (error) {
      const now = performance.now()
      if (now - start > withinMs) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseAfter(now - start, now - triedAt)))
    }
  }
}

/** How long to wait until the next try of something that has been tried for so long, the last time for `lastMs`. */
export function pauseAfter(waitedMs: number, lastMs = 0): number {
  const pauseMs = Math.min(Math.max(pausesMs.shortest, waitedMs * pausePart), pausesMs.longest)
  return Math.max(pauseMs, Math.min(lastMs * rest.factor, rest.longestMs))
}
