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

describe('what conversions have returned', () => {
  it('is forgotten, the oldest first, when it is too much', () => {
    const { keep, kept } = remembering(10_000)
    for (const name of ['a', 'b', 'c']) keep(name, 4_000)
    expect(kept()).toEqual(['b', 'c'])
    keep('huge', 20_000)
    expect(kept()).toEqual([])
  })

  it('counts even if it is small', () => {
    const { keep, kept } = remembering(10_000)
    for (let index = 0; index < 1_000; index += 1) keep(`n${index}`, 1)
    expect(kept().length).toBeLessThan(20)
  })

  it('is forgotten after a while, so that a webhook that was mended is asked again', () => {
    const { keep, wait, kept } = remembering(10_000)
    keep('a', 1)
    wait(longestKeptMs - 1)
    expect(kept()).toEqual(['a'])
    wait(1)
    expect(kept()).toEqual([])
  })
})
