import { describe, expect, it } from 'vitest'
import { WriteLimit } from './write-limit.ts'

function writes(limit: WriteLimit, count: number, version = '1'): void {
  for (let index = 0; index < count; index++) limit.wrote('a', version, 0)
}

describe('a limit of writes', () => {
  it('allows a few at once, then pauses longer and longer', () => {
    const limit = new WriteLimit()
    writes(limit, 15)
    expect(limit.pauseMs('a', '1', 0)).toBe(0)
    writes(limit, 1)
    expect(limit.pauseMs('a', '1', 0)).toBe(1_000)
    writes(limit, 2)
    expect(limit.pauseMs('a', '1', 0)).toBe(4_000)
    writes(limit, 100)
    expect(limit.pauseMs('a', '1', 0)).toBe(300_000)
  })

  it('ends with the pause, when the other side changes, and when the object is deleted', () => {
    const limit = new WriteLimit()
    writes(limit, 16)
    expect(limit.pauseMs('a', '1', 1_000)).toBe(0)
    expect(limit.pauseMs('a', '2', 0)).toBe(0)
    limit.forget('a')
    expect(limit.pauseMs('a', '1', 0)).toBe(0)
  })
})
