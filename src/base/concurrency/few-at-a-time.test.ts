import { describe, expect, it } from 'vitest'
import { FewAtATime } from './few-at-a-time.ts'

describe('few at a time', () => {
  it('runs up to its limit at once, and the others in order of arrival', async () => {
    const few = new FewAtATime(2)
    const begun: number[] = []
    const ends: (() => void)[] = []
    const works = Array.from({ length: 4 }, (_, index) =>
      few.take(
        () =>
          new Promise<void>((resolve) => {
            begun.push(index)
            ends.push(resolve)
          }),
      ),
    )
    expect(begun).toEqual([0, 1])
    ends[1]?.()
    await works[1]
    expect(begun).toEqual([0, 1, 2])
    for (const index of [0, 2, 3]) {
      ends[index]?.()
      await works[index]
    }
    expect(begun).toEqual([0, 1, 2, 3])
  })

  it('gives the slot of a failed task to the next', async () => {
    const few = new FewAtATime(1)
    const failed = few.take(() => Promise.reject(new Error('failed')))
    const next = few.take(() => Promise.resolve('done'))
    await expect(failed).rejects.toThrow('failed')
    expect(await next).toBe('done')
  })
})
