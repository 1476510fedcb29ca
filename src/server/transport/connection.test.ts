import { expect, it } from 'vitest'
import { defaultLimits } from '../limits.ts'
import { lingerOf } from './connection.ts'

it.each([
  ['in a running server', 5_000, false, 2_000],
  ['right after the last answer, in a server that stops', 0, true, 2_000],
  ['soon after it', 150, true, 1_850],
  ['long after it', 5_000, true, 200],
  ['without any answer', Number.POSITIVE_INFINITY, true, 200],
])('a client may read for a while %s', (_, idleMs, isClosing, ms) => {
  expect(lingerOf({ ...defaultLimits, lingerMs: 2_000 }, idleMs, isClosing)).toBe(ms)
})
