import { expect, it } from 'vitest'
import { type Flushable, FlushQueue } from './flush-queue.ts'

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Takes the given time, and records the iteration in which it was written to. */
function writing(turns: number[], turnOf: () => number, ms: number): Flushable {
  return {
    flush: () => {
      const end = performance.now() + ms
      while (performance.now() < end);
      turns.push(turnOf())
    },
  }
}

it('thousands of watchers are written to over several iterations of the event loop, in order', async () => {
  const queue = new FlushQueue()
  const turns: number[] = []
  let turn = 0
  for (let count = 0; count < 400; count += 1) queue.add(writing(turns, () => turn, 0.1))
  while (turns.length < 400) {
    await nextTurn()
    turn += 1
  }
  expect(turn).toBeGreaterThan(4)
  expect(turns).toEqual(turns.toSorted((left, right) => left - right))
})

it('watchers with the same lines share the joined text', async () => {
  const queue = new FlushQueue()
  const lines = [Buffer.from('one'), Buffer.from('two')]
  const joined: Buffer[] = []
  for (let count = 0; count < 100; count += 1) queue.add({ flush: (join) => void joined.push(join([...lines])) })
  while (joined.length < 100) await nextTurn()
  expect(new Set(joined).size).toBe(1)
  expect(joined[0]?.toString()).toBe('onetwo')
})
