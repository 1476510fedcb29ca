/**
 * Does something so many times, in batches of one, two, four and so on, and stops after a batch in which it failed: what
 * is refused once is not asked for a thousand times. Resolves to how often it was tried, and the first failure.
 */
export async function slowStart(
  times: number,
  act: (index: number) => Promise<void>,
): Promise<{ readonly tried: number; readonly failure?: unknown }> {
  let tried = 0
  for (let batch = 1; tried < times; batch *= 2) {
    const first = tried
    const size = Math.min(batch, times - first)
    const outcomes = await Promise.allSettled(Array.from({ length: size }, (_, index) => act(first + index)))
    tried += size
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed !== undefined) return { tried, failure: failed.reason }
  }
  return { tried }
}
