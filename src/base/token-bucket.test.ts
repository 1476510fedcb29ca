import { expect, it } from 'vitest'
import { TokenBucket } from './token-bucket.ts'

it('allows a burst, and then the given rate', () => {
  let nowMs = 0
  const bucket = new TokenBucket({ burst: 3, perSecond: 2, now: () => nowMs })
  const taken = (times: number) => Array.from({ length: times }, () => bucket.take())
  expect(taken(4)).toEqual([true, true, true, false])
  nowMs = 500
  expect(taken(2)).toEqual([true, false])
  nowMs = 60_000
  expect(taken(4)).toEqual([true, true, true, false])
})

it('adds no tokens when the clock goes back', () => {
  let nowMs = 10_000
  const bucket = new TokenBucket({ burst: 1, perSecond: 1, now: () => nowMs })
  expect(bucket.take()).toBe(true)
  nowMs = 0
  expect(bucket.take()).toBe(false)
  nowMs = 1_000
  expect(bucket.take()).toBe(true)
})
