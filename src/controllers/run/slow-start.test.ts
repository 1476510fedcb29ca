import { expect, it } from 'vitest'
import { slowStart } from './slow-start.ts'

it('does everything if nothing fails', async () => {
  const done: number[] = []
  expect(await slowStart(10, async (index) => void done.push(index))).toEqual({ tried: 10 })
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

it.each([
  [1, 1],
  [2, 3],
  [4, 7],
])('ends after the batch in which it fails: failing from number %i on, it is tried %i times', async (from, tried) => {
  let count = 0
  const act = async () => {
    count++
    if (count >= from) throw new Error('refused')
  }
  expect(await slowStart(100, act)).toEqual({ tried, failure: new Error('refused') })
})
