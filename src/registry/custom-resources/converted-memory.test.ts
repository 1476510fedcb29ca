import { describe, expect, it } from 'vitest'
import { ConvertedMemory, longestKeptMs } from './converted-memory.ts'

function remembering(mostBytes: number) {
  let nowMs = 0
  const kept = new Set<string>()
  const memory = new ConvertedMemory({ now: () => nowMs }, mostBytes)
  const keep = (name: string, bytes: number) => {
    kept.add(name)
    memory.keep(bytes, () => kept.delete(name))
  }
  const wait = (ms: number) => {
    nowMs += ms
    memory.forgetOld()
  }
  return { keep, wait, kept: () => [...kept] }
}

describe('cached conversions', () => {
  it('are evicted, the oldest first, above the size limit', () => {
    const { keep, kept } = remembering(10_000)
    for (const name of ['a', 'b', 'c']) keep(name, 4_000)
    expect(kept()).toEqual(['b', 'c'])
    keep('huge', 20_000)
    expect(kept()).toEqual([])
  })

  it('count toward the limit even if they are small', () => {
    const { keep, kept } = remembering(10_000)
    for (let index = 0; index < 1_000; index += 1) keep(`n${index}`, 1)
    expect(kept().length).toBeLessThan(20)
  })

  it('expire, so that a repaired webhook is called again', () => {
    const { keep, wait, kept } = remembering(10_000)
    keep('a', 1)
    wait(longestKeptMs - 1)
    expect(kept()).toEqual(['a'])
    wait(1)
    expect(kept()).toEqual([])
  })
})
