import { onTestFinished } from 'vitest'

/** For what one test starts. */
export function stopsWithTest<T extends { stop(): Promise<unknown> }>(thing: T): T {
  onTestFinished(async () => {
    await thing.stop()
  })
  return thing
}
