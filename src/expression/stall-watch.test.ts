import { describe, expect, it } from 'vitest'
import { type Sign, StallWatch } from './stall-watch.ts'

const busy: Sign = { beats: 7, batch: 1, evaluation: 3 }

/** Checks repeatedly, with that much work in between. Returns the number of the check that found it stuck. */
function looksUntilStuck(signs: (look: number) => Sign, workPerLookMs: number): number | undefined {
  const watch = new StallWatch(250)
  for (let look = 1; look <= 200; look++) {
    if (watch.isStuck(signs(look), 1, look * workPerLookMs)) return look
  }
  return undefined
}

describe('a thread', () => {
  it('is stuck when it works and nothing moves', () => {
    expect(looksUntilStuck(() => busy, 25)).toBe(11)
  })

  it('has the same time when other threads work as well', () => {
    expect(looksUntilStuck(() => busy, 100)).toBe(11)
  })

  it('gets more time on a busy machine', () => {
    expect(looksUntilStuck(() => busy, 5)).toBe(51)
  })

  it('is stuck in the end even if it does nothing', () => {
    expect(looksUntilStuck(() => busy, 0)).toBe(101)
  })

  it.each<[string, (look: number) => Sign]>([
    ['it beats', (look) => ({ ...busy, beats: look })],
    ['it is busy with another batch', () => ({ ...busy, batch: 2 })],
    ['it is between evaluations', () => ({ ...busy, evaluation: -1 })],
  ])('is not stuck while %s', (_reason, signs) => {
    expect(looksUntilStuck(signs, 1000)).toBeUndefined()
  })

  it('restarts its time with every beat', () => {
    expect(looksUntilStuck((look) => ({ ...busy, beats: look < 30 ? 1 : 2 }), 10)).toBe(26)
    expect(looksUntilStuck((look) => ({ ...busy, beats: look < 20 ? 1 : 2 }), 25)).toBe(11)
    expect(looksUntilStuck((look) => ({ ...busy, beats: look < 9 ? 1 : 2 }), 25)).toBe(19)
  })
})
