import { expect, it } from 'vitest'
import { linkPauseMs } from './backoff.ts'

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
