import { expect, it } from 'vitest'
import { findingOf } from './pods.ts'

it('shows a limited number of differences, and the beginning of each', () => {
  const differences = Array.from({ length: 60 }, (_, index) => ({
    object: `shop/web-${index}`,
    reason: 'RefusedByHost',
    message: 'x'.repeat(1_000_000),
  }))
  const { lines = [] } = findingOf({ compared: 60, differences }, 'demo', 'tenant-demo')
  expect(lines).toHaveLength(51)
  expect(lines[0]).toMatch(/^shop\/web-0: RefusedByHost: x+…$/)
  expect(lines.at(-1)).toBe('and 10 more')
  expect(lines.join('').length).toBeLessThan(60_000)
})
