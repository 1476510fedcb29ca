import { expect, it } from 'vitest'
import { untilStepMs } from './even-answers.ts'

it.each([
  [0, 500],
  [1, 500],
  [499, 500],
  [500, 1_000],
  [730.5, 1_000],
])('an answer that took %d ms is sent after %d ms', (tookMs, sentMs) => {
  expect(tookMs + untilStepMs(tookMs)).toBe(sentMs)
})
