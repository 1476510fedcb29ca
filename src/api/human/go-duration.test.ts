import { describe, expect, it } from 'vitest'
import { parseGoDuration } from './go-duration.ts'

describe('durations are read as Go reads them', () => {
  const good: readonly (readonly [string, number])[] = [
    ['0', 0],
    ['32s', 32_000],
    ['1h30m', 5_400_000],
    ['1.5s', 1500],
    ['.5m', 30_000],
    ['-2s', -2000],
    ['+2s', 2000],
    ['100us', 0.1],
    ['1h1m1s1ms', 3_661_001],
  ]
  it.each(good)('%s', (text, durationMs) => {
    expect(parseGoDuration(text)).toEqual({ durationMs })
  })

  const bad: readonly (readonly [string, string])[] = [
    ['abc', 'time: invalid duration "abc"'],
    ['', 'time: invalid duration ""'],
    ['-', 'time: invalid duration "-"'],
    ['.s', 'time: invalid duration ".s"'],
    ['5', 'time: missing unit in duration "5"'],
    ['1.5.5s', 'time: missing unit in duration "1.5.5s"'],
    ['5d', 'time: unknown unit "d" in duration "5d"'],
    ['1h-5m', 'time: unknown unit "h-" in duration "1h-5m"'],
    ['9999999999h', 'time: invalid duration "9999999999h"'],
  ]
  it.each(bad)('%j is refused', (text, problem) => {
    expect(parseGoDuration(text)).toEqual({ problem })
  })
})
