import { expect, it } from 'vitest'
import { WritePace } from './write-pace.ts'

/** How many writes of an object that always changes are done within this time. */
function writesWithin(pace: WritePace, fromMs: number, toMs: number): number {
  let count = 0
  for (let nowMs = fromMs; nowMs < toMs; nowMs += 10) {
    if (pace.pauseMs('a', nowMs) > 0) continue
    pace.wrote('a', nowMs)
    count += 1
  }
  return count
}

it('allows many writes at once, then one a second', () => {
  const pace = new WritePace()
  expect(writesWithin(pace, 0, 1_000)).toBe(60)
  expect(writesWithin(pace, 1_000, 11_000)).toBe(10)
  expect(pace.pauseMs('b', 11_000)).toBe(0)
})

it('allows many at once again after a calm time', () => {
  const pace = new WritePace()
  writesWithin(pace, 0, 5_000)
  expect(writesWithin(pace, 65_000, 66_000)).toBe(60)
})

it('forgets an object that is gone', () => {
  const pace = new WritePace()
  writesWithin(pace, 0, 700)
  expect(pace.pauseMs('a', 700)).toBeGreaterThan(0)
  pace.forget('a')
  expect(pace.pauseMs('a', 700)).toBe(0)
})
