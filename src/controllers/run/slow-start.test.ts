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
])('tries as many as succeeded, and one more: failing from number %i on, it is tried %i times', async (from, tried) => {
  let count = 0
  const act = async () => {
    count++
    if (count >= from) throw new Error('refused')
  }
  expect(await slowStart(100, act)).toEqual({ tried, failure: new Error('refused') })
})

it('goes on with what has succeeded allows while the rest is still under way', async () => {
  const endings: (() => void)[] = []
  const done = slowStart(
    7,
    () =>
      new Promise((resolve) => {
        endings.push(resolve)
      }),
  )
  const begun = (count: number) => expect.poll(() => endings.length).toBe(count)
  await begun(1)
  endings[0]?.()
  await begun(3)
  endings[1]?.()
  await begun(5)
  endings[2]?.()
  await begun(7)
  for (const end of endings) end()
  expect(await done).toEqual({ tried: 7 })
})
