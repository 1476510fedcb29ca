import { expect, it } from 'vitest'
import { LeakyBuckets } from './leaky-buckets.ts'

const refillMs = 1_000
const hourMs = 3_600_000

function buckets(burst: number) {
  let nowMs = 10 * hourMs
  const made = new LeakyBuckets({ clock: { now: () => nowMs }, burst, refillMs, most: 10 })
  return {
    buckets: made,
    setClock: (byMs: number) => {
      nowMs += byMs
    },
  }
}

it('a bucket takes its drops at once, then one for each interval', () => {
  const { buckets: of, setClock } = buckets(2)
  expect([of.add('a'), of.add('a'), of.add('a')]).toEqual([0, 0, refillMs])
  setClock(refillMs)
  expect([of.add('a'), of.add('a')]).toEqual([0, refillMs])
})

it.each([
  ['a drop', (of: LeakyBuckets) => of.add('a')],
  ['a cost', (of: LeakyBuckets) => of.charge('a', 1)],
])('a clock that is set back keeps no bucket full: %s leaks away in its time', (_, use) => {
  const { buckets: of, setClock } = buckets(1)
  use(of)
  setClock(-hourMs)
  expect(of.add('a')).toBe(refillMs)
  setClock(refillMs)
  expect(of.add('a')).toBe(0)
})
