import { expect, it } from 'vitest'
import { eventually, pauseAfter } from './eventually.ts'

it.each([
  ['something that has just begun is tried again at once', 0, 0, 5],
  ['the pauses grow with the wait', 400, 0, 20],
  ['and stay short', 60_000, 0, 200],
  ['a request adds no pause of its own', 60_000, 20, 200],
  ['a process that was started for a try is followed by a rest', 60_000, 150, 300],
  ['which is never long', 60_000, 10_000, 500],
])('%s', (_, waitedMs, lastMs, pauseMs) => {
  expect(pauseAfter(waitedMs, lastMs)).toBe(pauseMs)
})

it('reports the last error when its time is over', async () => {
  let tries = 0
  const failing = () => {
    tries += 1
    throw new Error(`wrong for the ${tries}. time`)
  }
  await expect(eventually(failing, 0)).rejects.toThrow(/^wrong for the \d+\. time$/)
})
