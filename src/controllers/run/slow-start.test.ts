import { expect, it } from 'vitest'
import { slowStart } from './slow-start.ts'

it('runs all tasks if none fails', async () => {
  const done: number[] = []
  expect(await slowStart(10, async (index) => void done.push(index))).toEqual({ tried: 10 })
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

it.each([
  [1, 1],
  [2, 3],
  [4, 7],
])('doubles its batches until a task fails: failing from number %i on, it tries %i', async (from, tried) => {
  let count = 0
  const act = async () => {
    count++
    if (count >= from) throw new Error('refused')
  }
  expect(await slowStart(100, act)).toEqual({ tried, failure: new Error('refused') })
})

it('starts the next batch while slower tasks still run', async () => {
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
