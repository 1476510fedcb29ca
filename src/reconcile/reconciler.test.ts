import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Next, Reconciler, type ReconcilerOptions } from './reconciler.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A loop whose runs have these results, one after the other, and then succeed. */
function loopWith(outcomes: readonly (Next | Error)[], options: Partial<ReconcilerOptions> = {}) {
  const left = [...outcomes]
  const looks: string[] = []
  const failures: string[] = []
  const loop = new Reconciler({
    reconcile: async (name) => {
      looks.push(name)
      const outcome = left.shift()
      if (outcome instanceof Error) throw outcome
      return outcome ?? 'done'
    },
    failed: (name, error, attempt) => failures.push(`${name} ${(error as Error).message} ${attempt}`),
    ...options,
  })
  return { loop, looks, failures }
}

describe('a name', () => {
  it('is reconciled until nothing is left to do', async () => {
    const { loop, looks } = loopWith(['again', 'again', 'done'])
    loop.add('web')
    await loop.whenIdle()
    expect(looks).toEqual(['web', 'web', 'web'])
  })

  it('that fails is retried after growing pauses', async () => {
    const { loop, looks, failures } = loopWith([new Error('one'), new Error('two')], { firstPauseMs: 100 })
    loop.add('web')
    await vi.advanceTimersByTimeAsync(49)
    expect(looks).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(51)
    expect(looks).toHaveLength(2)
    // Half of a pause is random: the first lasts 50 to 100 ms, the second twice as long.
    await vi.advanceTimersByTimeAsync(49)
    expect(looks).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(200)
    expect(looks).toHaveLength(3)
    expect(failures).toEqual(['web one 1', 'web two 2'])
  })

  it.each([
    ['was planned', 'done' as const],
    ['failed', new Error('by the old configuration')],
  ])('is reconciled again when the basis of its plan has changed while it %s', async (_, outcome) => {
    let config = 1
    let changes = 1
    const looks: number[] = []
    const failures: unknown[] = []
    const loop = new Reconciler({
      reconcile: async () => {
        looks.push(config)
        if (changes-- > 0) {
          config++
          if (outcome instanceof Error) throw outcome
        }
        return 'done'
      },
      basis: () => config,
      failed: (_name, error) => failures.push(error),
    })
    loop.add('web')
    await loop.whenIdle()
    expect([looks, failures]).toEqual([[1, 2], []])
  })

  it('is timed, even when it fails', async () => {
    let nowMs = 0
    const seconds: number[] = []
    const loop = new Reconciler({
      reconcile: async (name) => {
        nowMs += 2_000
        if (name === 'bad') throw new Error('no')
      },
      failed: () => {},
      handled: (each) => seconds.push(each),
      elapsed: { now: () => nowMs },
      workers: 1,
    })
    for (const name of ['good', 'bad']) loop.add(name)
    await loop.whenIdle()
    expect(seconds).toEqual([2, 2])
  })
})

describe('the end of a loop', () => {
  it('cancels running reconciliations, and ends sources and timers', async () => {
    const ended: string[] = []
    let ticks = 0
    const loop = new Reconciler({
      reconcile: (_, signal) =>
        new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(void ended.push('write')))),
      failed: () => {},
    })
    loop.follow(() => ended.push('source'))
    loop.every(1_000, () => ticks++)
    loop.add('web')
    await vi.advanceTimersByTimeAsync(2_500)
    await loop.stop()
    await vi.advanceTimersByTimeAsync(5_000)
    expect([ended.toSorted(), ticks]).toEqual([['source', 'write'], 2])
  })

  it('lets running reconciliations finish when it is drained, and accepts no more', async () => {
    const done: string[] = []
    const loop = new Reconciler({
      reconcile: async (name, signal) => {
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        done.push(`${name} ${signal.aborted}`)
      },
      failed: () => {},
    })
    loop.add('web')
    await vi.advanceTimersByTimeAsync(0)
    const drained = loop.drain()
    loop.add('late')
    await vi.advanceTimersByTimeAsync(1_000)
    await drained
    expect([done, loop.length]).toEqual([['web false'], 0])
  })
})
