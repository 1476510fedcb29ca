import { describe, expect, it } from 'vitest'
import { formatAge, formatMoment } from './age.ts'
import { humanDuration } from './duration.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const year = 365 * day

describe('spans of time read as in kubectl', () => {
  const cases: readonly (readonly [number, string])[] = [
    [-2 * second, '<invalid>'],
    [-1999, '0s'],
    [0, '0s'],
    [119 * second, '119s'],
    [2 * minute, '2m'],
    [5 * minute + 11 * second, '5m11s'],
    [10 * minute + 59 * second, '10m'],
    [3 * hour - second, '179m'],
    [3 * hour, '3h'],
    [7 * hour + 59 * minute + 59 * second, '7h59m'],
    [8 * hour + 30 * minute, '8h'],
    [2 * day - second, '47h'],
    [3 * day + 4 * hour, '3d4h'],
    [7 * day, '7d'],
    [8 * day + 5 * hour, '8d'],
    [2 * year - second, '729d'],
    [2 * year, '2y'],
    [2 * year + 10 * day, '2y10d'],
    [8 * year + 10 * day, '8y'],
  ]
  it.each(cases)('%d ms', (durationMs, text) => {
    expect(humanDuration(durationMs)).toBe(text)
  })
})

describe('times are printed as their distance from now', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')

  it('an age needs a time in the past', () => {
    expect(formatAge('2025-12-31T23:54:49Z', now)).toBe('5m11s')
    expect(formatAge('2027-01-01T00:00:00Z', now)).toBe('<invalid>')
    expect(formatAge(null, now)).toBe('<unknown>')
    expect(formatAge('soon', now)).toBe('<unknown>')
  })

  it('a moment may be on either side', () => {
    expect(formatMoment('2026-01-31T00:00:00Z', now)).toBe('in 30d')
    expect(formatMoment('2026-01-30T23:59:50Z', now)).toBe('in 30d')
    expect(formatMoment('2026-01-30T23:59:00Z', now)).toBe('in 29d')
    expect(formatMoment('2026-01-01T00:59:50Z', now)).toBe('in 59m')
    expect(formatMoment('2025-12-29T00:00:00Z', now)).toBe('3d ago')
    expect(formatMoment(undefined, now)).toBe('never')
  })
})
