import { expect, it } from 'vitest'
import { OwnerCounts } from './owner-counts.ts'

it('counts by name, and never below zero', () => {
  const counts = new OwnerCounts()
  counts.add('a')
  counts.add('a')
  counts.add('b')
  counts.remove('a')
  counts.remove('b')
  counts.remove('b')
  expect([counts.of('a'), counts.of('b'), counts.of('c')]).toEqual([1, 0, 0])
  counts.add('b')
  expect(counts.of('b')).toBe(1)
})

it('keeps few names with a count of zero', () => {
  const counts = new OwnerCounts()
  for (let index = 0; index < 10_000; index++) {
    counts.add(`name-${index}`)
    counts.remove(`name-${index}`)
  }
  expect(counts.names).toBeLessThan(100)
})
