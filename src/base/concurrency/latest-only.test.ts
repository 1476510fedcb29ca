import { expect, it } from 'vitest'
import { LatestOnly } from './latest-only.ts'

it('handles one item at a time, and skips all waiting items but the latest', async () => {
  const worked: number[] = []
  const ends: (() => void)[] = []
  const latest = new LatestOnly<number>((item) => {
    worked.push(item)
    return new Promise((resolve) => ends.push(resolve))
  })
  for (const item of [1, 2, 3, 4]) latest.add(item)
  expect(worked).toEqual([1])
  ends.shift()?.()
  await expect.poll(() => worked).toEqual([1, 4])
  ends.shift()?.()
  await new Promise(setImmediate)
  latest.add(5)
  expect(worked).toEqual([1, 4, 5])
})
