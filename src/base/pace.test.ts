import { describe, expect, it } from 'vitest'
import { Pace } from './pace.ts'

describe('work at a pace', () => {
  it('lets the event loop have a turn after so many steps', async () => {
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

  it('rests sooner when the steps take long', () => {
    const pace = new Pace({ stepsPerTurn: Number.POSITIVE_INFINITY, msPerTurn: 0 })
    expect(pace.isDue()).toBe(true)
  })
})
