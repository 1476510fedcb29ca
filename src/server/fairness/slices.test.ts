import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Slices } from './slices.ts'

/** The owner that gets a slice in each of the given number of iterations. */
async function turnsOf(slices: Slices, owners: readonly string[], turns: number): Promise<readonly string[]> {
  const told: string[] = []
  for (const owner of owners)
    void slices
      .for(owner)
      .rest()
      .then(() => told.push(owner))
  const perTurn: string[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    await nextTurn()
    perTurn.push(told.splice(0).join())
  }
  return perTurn
}

describe('slices of long answers', () => {
  it('are given one per iteration of the event loop, however many ask', async () => {
    const perTurn = await turnsOf(new Slices(), ['ann', 'ann', 'ann', 'ann'], 6)
    expect(perTurn.filter((each) => each !== '')).toEqual(['ann', 'ann', 'ann', 'ann'])
  })

  it('rotate among owners', async () => {
    const perTurn = await turnsOf(new Slices(), ['mallory', 'mallory', 'mallory', 'bob', 'ann'], 7)
    expect(perTurn.filter((each) => each !== '')).toEqual(['mallory', 'bob', 'ann', 'mallory', 'mallory'])
  })

  it('leave nothing behind', async () => {
    const slices = new Slices()
    await turnsOf(slices, ['ann', 'bob'], 4)
    expect(slices.waiting).toBe(0)
  })
})
