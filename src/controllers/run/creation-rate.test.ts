import { expect, it } from 'vitest'
import { CreationRate } from './creation-rate.ts'

it('allows a burst of a thousand, and then one every ten milliseconds', () => {
  let nowMs = 0
  const rate = new CreationRate({ now: () => nowMs })
  expect(rate.take('a', 400)).toEqual({ count: 400, nextInMs: undefined })
  expect(rate.take('a', 700)).toEqual({ count: 600, nextInMs: 10 })
  nowMs += 50
  expect(rate.take('a', 700)).toEqual({ count: 5, nextInMs: 10 })
})

it('counts each namespace separately', () => {
  const rate = new CreationRate({ now: () => 0 })
  rate.take('a', 2_000)
  expect(rate.take('b', 3)).toEqual({ count: 3, nextInMs: undefined })
})
