import { describe, expect, it } from 'vitest'
import { Semaphore } from './semaphore.ts'

describe('a semaphore', () => {
  it('runs up to its limit at once, and the others in order of arrival', async () => {
    const semaphore = new Semaphore(2)
    const begun: number[] = []
    const ends: (() => void)[] = []
    const works = Array.from({ length: 4 }, (_, index) =>
      semaphore.run(
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
    const semaphore = new Semaphore(1)
    const failed = semaphore.run(() => Promise.reject(new Error('failed')))
    const next = semaphore.run(() => Promise.resolve('done'))
    await expect(failed).rejects.toThrow('failed')
    expect(await next).toBe('done')
  })
})
