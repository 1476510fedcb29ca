import { setTimeout as delay } from 'node:timers/promises'
import type { Stage } from './stage.ts'

const pauseMs = 50

/** Constantly calls virtual clusters through their links. At the end it reports every failed call. */
export function watchLinks({ through }: Stage, names: readonly string[]): { end(): Promise<readonly string[]> } {
  const failures: string[] = []
  let isWanted = true
  const watchers = names.map(async (name) => {
    while (isWanted) {
      const status = await through(name).catch((error: unknown) => String(error))
      if (status !== 200) failures.push(`${name}: ${status}`)
      await delay(pauseMs)
    }
  })
  return {
    end: async () => {
      isWanted = false
      await Promise.all(watchers)
      return failures
    },
  }
}
