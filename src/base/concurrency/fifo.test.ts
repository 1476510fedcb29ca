import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Fifo } from './fifo.ts'

it('returns items in order of arrival, however pushes and shifts alternate', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer(), { freq: 2 })), (steps) => {
      const queue = new Fifo<number>()
      const expected: number[] = []
      for (const step of steps) {
        if (step === null) expect(queue.shift()).toBe(expected.shift())
        else {
          queue.push(step)
          expected.push(step)
        }
        expect(queue.size).toBe(expected.length)
      }
    }),
  )
})

it('is empty once it is cleared', () => {
  const queue = new Fifo<string>()
  for (const text of ['a', 'b', 'c']) queue.push(text)
  queue.shift()
  queue.clear()
  expect([queue.size, queue.shift()]).toEqual([0, undefined])
})
