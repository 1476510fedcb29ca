import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { WorkQueue } from './work-queue.ts'

describe('a queue of names', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  function failing(pauses: readonly number[]) {
    const attempts: number[] = []
    const queue = new WorkQueue({
      handle: async () => {
        attempts.push(Date.now())
        throw new Error('not yet')
      },
      onError: () => {},
      pauseMs: () => pauses[attempts.length - 1] ?? 1_000_000,
    })
    return { queue, attempts }
  }

  it('keeps the latest pause, even if an earlier one was longer', async () => {
    const { queue, attempts } = failing([60_000, 20])
    queue.add('a')
    await vi.advanceTimersByTimeAsync(5)
    queue.add('a')
    await vi.advanceTimersByTimeAsync(25)
    expect(attempts).toHaveLength(3)
    await queue.stop()
  })

  it('does not handle a name again because of a pause that an earlier run made needless', async () => {
    let count = 0
    const queue = new WorkQueue({ handle: async () => void count++, onError: () => {} })
    queue.addAfter('a', 1_000)
    queue.add('a')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(count).toBe(1)
  })

  it('handles a name again that was added while it was being handled, and never twice at a time', async () => {
    let [active, most, count] = [0, 0, 0]
    const queue = new WorkQueue({
      handle: async () => {
        most = Math.max(most, ++active)
        await new Promise((resolve) => setTimeout(resolve, 10))
        active--
        count++
      },
      onError: () => {},
      workers: 8,
    })
    for (let time = 0; time < 5; time++) queue.add('a')
    await vi.advanceTimersByTimeAsync(100)
    expect([most, count]).toEqual([1, 2])
  })
})

describe('a queue that never gets empty', () => {
  /** The most names handled between two iterations of the event loop, until `enough` were. */
  async function mostPerTurn(queue: WorkQueue, handled: () => number, enough: number): Promise<number> {
    let [most, before] = [0, 0]
    while (handled() < enough) {
      await new Promise((resolve) => setImmediate(resolve))
      most = Math.max(most, handled() - before)
      before = handled()
    }
    await queue.stop()
    return most
  }

  it.each([1, 4, 16])('yields to the event loop when handling a name adds it again, workers: %i', async (workers) => {
    let count = 0
    const queue: WorkQueue = new WorkQueue({
      handle: async (name) => {
        count++
        queue.add(name)
      },
      onError: () => {},
      workers,
    })
    for (let index = 0; index < 20; index++) queue.add(`name-${index}`)
    expect(await mostPerTurn(queue, () => count, 5_000)).toBeLessThanOrEqual(200)
  })

  it('lets timers run', async () => {
    const queue: WorkQueue = new WorkQueue({
      handle: async (name) => queue.add(`${name}x`.slice(-9)),
      onError: () => {},
    })
    queue.add('name')
    await new Promise((resolve) => setTimeout(resolve, 20))
    await queue.stop()
  })

  it('handles many names over several iterations', async () => {
    let count = 0
    const queue = new WorkQueue({ handle: async () => void count++, onError: () => {}, workers: 16 })
    for (let index = 0; index < 10_000; index++) queue.add(`name-${index}`)
    expect(await mostPerTurn(queue, () => count, 10_000)).toBeLessThanOrEqual(200)
  })
})
