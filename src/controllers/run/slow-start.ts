import { Pace } from '../../base/pace.ts'

/** How many are started in one turn of the event loop: the store writes them while the next ones are prepared. */
const perTurn = 25

/**
 * Runs `act` the given number of times. At most twice as many calls as have succeeded, plus one, are started: 1, 3, 7
 * and so on. Successes after a failure do not raise this limit, so that a refused write is not repeated a thousand
 * times. When every started call is over, resolves to the number of attempts and the first failure.
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
