import { describe, expect, it } from 'vitest'
import { StallWatch, type ThreadProgress } from './stall-watch.ts'

const busy: ThreadProgress = { beats: 7, batch: 1, evaluation: 3 }

/** Checks repeatedly, with that much work in between. Returns the number of the check that found it stuck. */
function checksUntilStuck(signs: (check: number) => ThreadProgress, workPerCheckMs: number): number | undefined {
  const watch = new StallWatch(250)
  for (let check = 1; check <= 200; check++) {
    if (watch.isStuck(signs(check), 1, check * workPerCheckMs)) return check
  }
  return undefined
}

describe('a thread', () => {
  it('is stuck when it works and nothing moves', () => {
    expect(checksUntilStuck(() => busy, 25)).toBe(11)
  })

  it('has the same time when other threads work as well', () => {
    expect(checksUntilStuck(() => busy, 100)).toBe(11)
  })

  it('gets more time on a busy machine', () => {
    expect(checksUntilStuck(() => busy, 5)).toBe(51)
  })

  it('is stuck in the end even if it does nothing', () => {
    expect(checksUntilStuck(() => busy, 0)).toBe(101)
  })

  it.each<[string, (check: number) => ThreadProgress]>([
    ['it beats', (check) => ({ ...busy, beats: check })],
    ['it is busy with another batch', () => ({ ...busy, batch: 2 })],
    ['it is between evaluations', () => ({ ...busy, evaluation: -1 })],
  ])('is not stuck while %s', (_reason, signs) => {
    expect(checksUntilStuck(signs, 1000)).toBeUndefined()
  })

  it('restarts its time with every beat', () => {
    expect(checksUntilStuck((check) => ({ ...busy, beats: check < 30 ? 1 : 2 }), 10)).toBe(26)
    expect(checksUntilStuck((check) => ({ ...busy, beats: check < 20 ? 1 : 2 }), 25)).toBe(11)
    expect(checksUntilStuck((check) => ({ ...busy, beats: check < 9 ? 1 : 2 }), 25)).toBe(19)
  })
})
