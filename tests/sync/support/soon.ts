import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { eventually } from '../../support/eventually.ts'

const patienceMs = 240_000
const pauseMs = 40
const stillMs = 700
const stillPauseMs = 100

/** Retries an assertion about another process until it holds; its last error is the failure. */
export function soon(assertion: () => Promise<void>, withinMs = patienceMs): Promise<void> {
  return eventually(assertion, withinMs, pauseMs)
}

/** Checks that an assertion about another process holds for longer than a reaction would take. */
export async function stays(assertion: () => Promise<void>, forMs = stillMs): Promise<void> {
  const deadline = performance.now() + forMs
  while (performance.now() < deadline) {
    await assertion()
    await delay(stillPauseMs)
  }
}

/** Reads until nothing changes for a while: then a syncer has finished its writes. Fails if it never stops. */
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

/** Long enough for a wrong reaction of a syncer to show. */
export function aWhile(): Promise<void> {
  return delay(stillMs)
}
