import { expect, test } from 'vitest'
import { backoffMs } from './backoff.ts'

const chance = (byte: number) => ({ uuid: () => '', bytes: () => Uint8Array.of(byte) })

test.each([
  [0, 0, 25],
  [0, 255, 50],
  [1, 255, 100],
  [5, 255, 1_600],
  [10, 255, 5_000],
  [10, 0, 2_500],
  [1_000_000, 255, 5_000],
])('after %i failures and with chance %i the wait is %i ms', (failures, byte, expected) => {
  expect(backoffMs(failures, chance(byte))).toBe(expected)
})
