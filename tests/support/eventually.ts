const patienceMs = 60_000
const pausesMs = { shortest: 5, longest: 50 }
/** The longer it has been tried, the less does a longer pause add. */
const pausePart = 0.05

/** Tries an assertion until it holds; what it last complained about is the failure. */
export async function eventually(assertion: () => void | Promise<void>, withinMs = patienceMs): Promise<void> {
  const start = performance.now()
  for (;;) {
    try {
      await assertion()
      return
    } catch (error) {
      const waitedMs = performance.now() - start
      if (waitedMs > withinMs) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseAfter(waitedMs)))
    }
  }
}

/** How long to wait until the next try of something that has been tried for so long. */
export function pauseAfter(waitedMs: number): number {
  return Math.min(Math.max(pausesMs.shortest, waitedMs * pausePart), pausesMs.longest)
}
