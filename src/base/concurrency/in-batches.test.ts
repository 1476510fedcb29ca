import { expect, it } from 'vitest'
import { InBatches } from './in-batches.ts'

it('items that arrive during a batch are handled in the next batch, and each gets its own result', async () => {
  const batches: (readonly number[])[] = []
  const doubled = new InBatches<number, number>({
    most: 3,
    handle: async (items) => {
      batches.push(items)
      return items.map((item) => 2 * item)
    },
  })
  expect(await Promise.all([1, 2, 3, 4, 5].map((item) => doubled.add(item)))).toEqual([2, 4, 6, 8, 10])
  expect(batches).toEqual([[1], [2, 3, 4], [5]])
  expect(await doubled.add(6)).toBe(12)
})

it('a failed batch fails for its own items only', async () => {
  const failing = new InBatches<number, number>({
    most: 2,
    handle: async (items) => {
      if (items.includes(2)) throw new Error('two')
      return items
    },
  })
  const settled = await Promise.allSettled([1, 2, 3, 4].map((item) => failing.add(item)))
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
})
