import { describe, expect, it, vi } from 'vitest'
import { FairQueue } from './fair-queue.ts'

const rules = { places: 2, placesPerOwner: 1, waiting: 4, waitingPerOwner: 2, busy: 'busy' }

function worldOf(options: Partial<ConstructorParameters<typeof FairQueue>[0]> = {}) {
  const turns = new FairQueue({ ...rules, ...options })
  const begun: string[] = []
  const take = (owner: string, goneBefore?: AbortSignal) => {
    const gone = new AbortController()
    let finish = (): void => {}
    let cut: AbortSignal | undefined
    const done = turns.take({ owner, signal: goneBefore ?? gone.signal }, (signal) => {
      begun.push(owner)
      cut = signal
      return new Promise<void>((resolve, reject) => {
        finish = resolve
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    })
    done.catch(() => {})
    return { done, gone, finish: () => finish(), isCut: () => cut?.aborted === true }
  }
  return { take, begun }
}

async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

describe('turns at expensive work', () => {
  it('are one at a time for an owner, whichever other owners work', () => {
    const { take, begun } = worldOf()
    for (const owner of ['a', 'a', 'b']) take(owner)
    expect(begun).toEqual(['a', 'b'])
  })

  it('rotate among owners', async () => {
    const { take, begun } = worldOf({ places: 1 })
    const [first, , b] = [take('a'), take('a'), take('b'), take('a')]
    first?.finish()
    await settled()
    b?.finish()
    await settled()
    expect(begun).toEqual(['a', 'b', 'a'])
  })

  it('are refused when an owner has too many waiting', async () => {
    const { take } = worldOf()
    const [, , , refused] = [take('a'), take('a'), take('a'), take('a')]
    await expect(refused?.done).rejects.toMatchObject({ code: 429, status: { message: 'busy, please try again' } })
  })

  it('end when the caller stops waiting, even in the middle of the work', async () => {
    const { take, begun } = worldOf()
    const [working, waiting, last] = [take('a'), take('a'), take('a')]
    waiting?.gone.abort()
    await expect(waiting?.done).rejects.toMatchObject({ code: 504 })
    working?.gone.abort()
    expect(working?.isCut()).toBe(true)
    await settled()
    expect(begun).toEqual(['a', 'a'])
    expect(last?.isCut()).toBe(false)
  })

  it('are refused to a caller that disconnected before it waits', async () => {
    const { take, begun } = worldOf()
    const [first, late] = [take('a'), take('a', AbortSignal.abort())]
    await expect(late.done).rejects.toMatchObject({ code: 504 })
    first.finish()
    await settled()
    expect(begun).toEqual(['a'])
  })

  it('end when they take too long', async () => {
    vi.useFakeTimers()
    const { take } = worldOf({ longestMs: 5_000 })
    const long = take('a')
    vi.advanceTimersByTime(5_000)
    vi.useRealTimers()
    await expect(long.done).rejects.toMatchObject({ code: 504, status: { message: expect.stringContaining('5 s') } })
  })
})
