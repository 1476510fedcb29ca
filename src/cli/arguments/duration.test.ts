import { describe, expect, it } from 'vitest'
import { parseDuration } from './duration.ts'

describe('a duration', () => {
  it.each([
    ['30d', 30 * 86_400],
    ['12h', 12 * 3_600],
    ['1w', 7 * 86_400],
    ['1d12h', 36 * 3_600],
    ['1w2d3h4m5s', 7 * 86_400 + 2 * 86_400 + 3 * 3_600 + 4 * 60 + 5],
    ['0s', 0],
  ])('%s has %i seconds', (text, seconds) => {
    expect(parseDuration(text)).toEqual({ seconds })
  })

  it.each(['', '5x', 'd', '12h1d', '1d1d', '1.5h', '-1d', '1d ', '30D', '__proto__', `${'9'.repeat(5000)}x`])(
    '%j is invalid, and the message shows a valid one',
    (text) => {
      expect(parseDuration(text)).toMatchObject({ problem: expect.stringContaining('30d, 12h, 1w') })
    },
  )

  it('needs a unit', () => {
    expect(parseDuration('3600')).toMatchObject({ problem: expect.stringContaining('needs a unit') })
  })

  it('is not longer than a number can say', () => {
    expect(parseDuration(`${'9'.repeat(30)}w`)).toMatchObject({ problem: expect.stringContaining('too long') })
  })
})
