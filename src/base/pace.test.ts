import { describe, expect, it } from 'vitest'
import { Pace } from './pace.ts'

describe('paced work', () => {
  it('yields to the event loop after a number of steps', async () => {
    const pace = new Pace({ stepsPerTurn: 10, msPerTurn: Number.POSITIVE_INFINITY })
    let turns = 0
    let isOver = false
    const count = (): void => {
      turns++
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    for (let step = 0; step < 1_000; step++) await pace.step()
    isOver = true
    expect(turns).toBeGreaterThanOrEqual(99)
  })

  it('yields as often when several tasks run at once', async () => {
    let inTurn = 0
    let mostInTurn = 0
    let isOver = false
    const count = (): void => {
      inTurn = 0
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const work = async () => {
      const pace = new Pace({ msPerTurn: 0 })
      for (let step = 0; step < 3; step++) {
        await pace.step()
        inTurn++
        mostInTurn = Math.max(mostInTurn, inTurn)
        // Longer than all of them together may take in one turn.
        for (const endsMs = performance.now() + 6; performance.now() < endsMs; );
      }
    }
    await Promise.all(Array.from({ length: 10 }, work))
    isOver = true
    expect(mostInTurn).toBe(1)
  })

  it('yields earlier when steps are slow', () => {
    const pace = new Pace({ stepsPerTurn: Number.POSITIVE_INFINITY, msPerTurn: 0 })
    expect(pace.isDue()).toBe(true)
  })

  it('rests no longer than its caller waits', async () => {
    const caller = new AbortController()
    const pace = new Pace({ signal: caller.signal })
    await pace.rest()
    caller.abort(new Error('gone'))
    await expect(pace.rest()).rejects.toThrow('gone')
  })
})
