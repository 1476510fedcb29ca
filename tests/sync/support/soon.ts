import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { pauseAfter } from '../../support/eventually.ts'

const patienceMs = 240_000
const pauseMs = 40
const stillMs = 700
const stillPauseMs = 100

/** Tries an assertion on another process until it holds; what it last complained about is the failure. */
export async function soon(assertion: () => Promise<void>, withinMs = patienceMs): Promise<void> {
  const start = performance.now()
  for (;;) {
    const triedAt = performance.now()
    try {
      await assertion()
      return
    } catch (error) {
      const now = performance.now()
      if (now - start > withinMs) throw error
      await delay(Math.max(pauseMs, pauseAfter(now - start, now - triedAt)))
    }
  }
}

/** Holds an assertion against another process for as long as it takes to react to something, and more. */
export async function stays(assertion: () => Promise<void>, forMs = stillMs): Promise<void> {
  const deadline = performance.now() + forMs
  while (performance.now() < deadline) {
    await assertion()
    await delay(stillPauseMs)
  }
}

/** Reads until nothing changes for a while: what a syncer had to write is then written. Fails if it never stops. */
export async function settled<State>(read: () => Promise<State>): Promise<State> {
  let state = await read()
  await soon(async () => {
    const before = state
    await aWhile()
    state = await read()
    expect(state).toEqual(before)
  })
  return state
}

/** Long enough for a syncer that reacts wrongly to have done so. */
export function aWhile(): Promise<void> {
  return delay(stillMs)
}
