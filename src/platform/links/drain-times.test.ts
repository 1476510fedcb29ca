import { expect, it } from 'vitest'
import { moveTimesOf, returnTimeOf } from './drain-times.ts'

it.each([
  [1, 8, 7_000],
  [400, 3_200, 7_000],
  [800, 6_400, 8_400],
  [1_000, 8_000, 10_000],
  [10_000, 8_000, 10_000],
])('%i links are asked to move within %i ms, and stay open for %i', (links, returnWithinMs, graceMs) => {
  expect(moveTimesOf(links)).toEqual({ returnWithinMs, graceMs })
})

it.each([
  [10, 80],
  [10_000, 15_000],
])('%i links that end return within %i ms', (links, returnWithinMs) => {
  expect(returnTimeOf(links)).toBe(returnWithinMs)
})
