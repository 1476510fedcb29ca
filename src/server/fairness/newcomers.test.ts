import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Newcomers } from './newcomers.ts'

it('accepts each party once in an iteration, and only a few of them', async () => {
  const newcomers = new Newcomers(2)
  expect(['a', 'a', 'b', 'c'].map((party) => newcomers.take(party))).toEqual([true, false, true, false])
  await nextTurn()
  expect(['c', 'a', 'b'].map((party) => newcomers.take(party))).toEqual([true, true, false])
})
