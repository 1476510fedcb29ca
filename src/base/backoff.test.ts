import { expect, test } from 'vitest'
import { backoffMs } from './backoff.ts'

const chance = (byte: number) => ({ uuid: () => '', bytes: () => Uint8Array.of(byte, byte) })
const limits = { firstMs: 50, longestMs: 5_000 }

test.each([
  [0, 0, 25],
  [1, 0, 25],
  [1, 255, 50],
  [2, 255, 100],
  [6, 255, 1_600],
  [11, 255, 5_000],
  [11, 0, 2_500],
  [1_000_000, 255, 5_000],
])('after %i failures with random value %i the wait is %i ms', (failures, byte, expected) => {
  expect(backoffMs(failures, limits, chance(byte))).toBe(expected)
})
