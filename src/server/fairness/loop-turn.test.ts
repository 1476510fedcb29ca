import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { LoopTurn } from './loop-turn.ts'

it('is over when its time is, until the next iteration of the event loop', async () => {
  const turn = new LoopTurn(0)
  expect([turn.isOver, turn.isOver]).toEqual([false, true])
  await nextTurn()
  expect([turn.isOver, turn.isOver]).toEqual([false, true])
})

it('does not outlast the iteration in which it was restarted', async () => {
  const turn = new LoopTurn(0)
  turn.begin()
  expect(turn.isOver).toBe(true)
  await nextTurn()
  expect(turn.isOver).toBe(false)
})
