import { Pace } from '../../base/pace.ts'

/** So many are begun in one turn of the event loop: the store writes them while the next are worked out. */
const perTurn = 25

/**
 * Does something so many times, as often as has succeeded so far and once more: once, three times, seven times and so on. What has succeeded
 * after a failure does not count, so that what is refused is not asked for a thousand times. Resolves when all that was begun is over, to how
 * often it was tried, and the first failure.
 */
export async function slowStart(
  times: number,
  act: (index: number) => Promise<void>,
): Promise<{ readonly tried: number; readonly failure?: unknown }> {
  const failures: unknown[] = []
  const pace = new Pace({ stepsPerTurn: perTurn })
  let [tried, succeeded, allowed] = [0, 0, 1]
  let wake = (): void => {}
  const oneIsOver = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })
  const begin = (index: number): void => {
    const noteSuccess = () => {
      succeeded += 1
      if (failures.length === 0) allowed = 2 * succeeded + 1
    }
    const noteFailure = (failure: unknown) => {
      failures.push(failure)
    }
    act(index)
      .then(noteSuccess, noteFailure)
      .then(() => wake())
  }
  while (tried < times && (tried < allowed || failures.length === 0)) {
    if (tried >= allowed) {
      await oneIsOver()
      continue
    }
    begin(tried)
    tried += 1
    await pace.step()
  }
  while (tried > succeeded + failures.length) await oneIsOver()
  return failures.length === 0 ? { tried } : { tried, failure: failures[0] }
}
