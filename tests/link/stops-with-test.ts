import { onTestFinished } from 'vitest'

/** Stops it at the end of the test. */
export function stopsWithTest<T extends { stop(): Promise<unknown> }>(thing: T): T {
  onTestFinished(async () => {
    await thing.stop()
  })
  return thing
}
