import { expect, it } from 'vitest'
import { slowStart } from './slow-start.ts'

it('does everything if nothing fails', async () => {
  let count = 0
  expect(await slowStart(10, async () => void count++)).toEqual({ tried: 10 })
  expect(count).toBe(10)
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
