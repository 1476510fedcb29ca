import { expect, it } from 'vitest'
import { countedAttempt, linkPauseMs } from './backoff.ts'

const always = (byte: number) => ({ uuid: () => '', bytes: () => Uint8Array.of(byte, byte) })

it.each([
  [0, 'Unreachable', 125, 250],
  [3, 'Unreachable', 1_000, 2_000],
  [50, 'Unreachable', 7_500, 15_000],
  [50, 'KeyRefused', 30_000, 60_000],
] as const)('attempt %i after %s waits between %i and %i ms', (attempt, reason, least, most) => {
  expect(linkPauseMs(attempt, reason, always(0))).toBe(least)
  expect(linkPauseMs(attempt, reason, always(255))).toBe(most)
})

it.each([
  ['a link that held is tried again soon', 7, 'ConnectionLost', 20_001, 0],
  ['one that did not is tried later each time', 7, 'ConnectionLost', 20_000, 7],
  ['a revoked key is not tried again soon, however long the link held', 0, 'KeyRevoked', 3_600_000, 4],
  ['nor sooner than before', 7, 'KeyRevoked', 100, 7],
] as const)('%s', (_, attempt, reason, tookMs, counted) => {
  expect(countedAttempt(attempt, reason, tookMs)).toBe(counted)
})
