import { expect, it } from 'vitest'
import { Unread } from './unread.ts'

const limitMs = 100

function lookedAt(...looks: readonly (readonly [waitingBytes: number, nowMs: number])[]): readonly boolean[] {
  const unread = new Unread()
  return looks.map(([waitingBytes, nowMs]) => unread.isStuck(waitingBytes, nowMs, limitMs))
}

it('data that is not taken is stuck when the time is over', () => {
  expect(lookedAt([5, 0], [5, 99], [5, 100])).toEqual([false, false, true])
})

it('data that is taken in small parts is not stuck', () => {
  expect(lookedAt([5, 0], [4, 99], [4, 150], [4, 199])).toEqual([false, false, false, true])
})

it('no data is never stuck', () => {
  expect(lookedAt([0, 0], [0, 1_000])).toEqual([false, false])
})
