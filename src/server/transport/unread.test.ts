import { expect, it } from 'vitest'
import { Unread } from './unread.ts'

const limitMs = 100

function lookedAt(...looks: readonly (readonly [waitingBytes: number, nowMs: number])[]): readonly boolean[] {
  const unread = new Unread()
  return looks.map(([waitingBytes, nowMs]) => unread.isStuck(waitingBytes, nowMs, limitMs))
}

it('data that is not taken is stuck when its time is over', () => {
  expect(lookedAt([5, 0], [5, 99], [5, 100])).toEqual([false, false, true])
})

it('what is taken bit by bit is not stuck', () => {
  expect(lookedAt([5, 0], [4, 99], [4, 150], [4, 199])).toEqual([false, false, false, true])
})

it('nothing at all is never stuck', () => {
  expect(lookedAt([0, 0], [0, 1_000])).toEqual([false, false])
})
