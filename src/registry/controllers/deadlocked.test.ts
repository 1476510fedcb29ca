import { describe, expect, it } from 'vitest'
import { Pace } from '../../base/pace.ts'
import { deadlocked } from './deadlocked.ts'

async function found(holds: Readonly<Record<string, readonly string[]>>): Promise<unknown> {
  return Object.fromEntries(await deadlocked(new Map(Object.entries(holds)), new Pace()))
}

describe('holds that never end', () => {
  it.each([
    ['one that holds itself', { a: ['a'] }, { a: ['a'] }],
    ['two that hold each other', { a: ['b'], b: ['a'] }, { a: ['b'], b: ['a'] }],
    ['a ring', { a: ['b'], b: ['c'], c: ['a'] }, { a: ['b'], b: ['c'], c: ['a'] }],
    ['two rings that share one', { a: ['b'], b: ['a', 'c'], c: ['b'] }, { a: ['b'], b: ['a', 'c'], c: ['b'] }],
  ])('are those of %s', async (_, holds, endless) => {
    expect(await found(holds)).toEqual(endless)
  })

  it.each([
    ['a chain', { a: ['b'], b: ['c'] }],
    ['what is held twice', { a: ['b', 'c'], b: ['d'], c: ['d'] }],
    ['an empty graph', {}],
  ])('are not those of %s', async (_, holds) => {
    expect(await found(holds)).toEqual({})
  })

  it('are not those that lead into a ring or out of it', async () => {
    expect(await found({ before: ['a'], a: ['b'], b: ['a', 'after'], after: ['end'] })).toEqual({ a: ['b'], b: ['a'] })
  })

  it('are found in a ring of 100,000', async () => {
    const length = 100_000
    const ring = new Map(Array.from({ length }, (_, index) => [`${index}`, [`${(index + 1) % length}`]] as const))
    expect((await deadlocked(ring, new Pace({ stepsPerTurn: 10_000 }))).size).toBe(length)
  })
})
