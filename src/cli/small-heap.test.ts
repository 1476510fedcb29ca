import { getHeapSpaceStatistics } from 'node:v8'
import { expect, test } from 'vitest'
import { countsBytecode, keepsFreedPages, shrinkHeap } from './small-heap.ts'

interface Numbered {
  readonly text: string
}

function numbered(count: number): readonly Numbered[] {
  return Array.from({ length: count }, (_, index) => ({ text: `number ${index}` }))
}

/** What the old generation takes for each byte that it holds. */
function takenPerByte(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')
  return space === undefined ? Number.NaN : space.space_size / space.space_used_size
}

test('the holes that objects have left behind are closed', () => {
  const all = [...numbered(600_000)]
  shrinkHeap()
  const kept = all.filter((_, index) => index % 5 < 2)
  all.length = 0
  for (let times = 0; times < 5; times++) shrinkHeap()
  expect(takenPerByte()).toBeLessThan(1.25)
  expect(kept[1]?.text).toBe('number 1')
})

test.each([
  ['11.3.244.8-node.38', true],
  ['12.4.254.21-node.33', false],
  ['13.6.233.17-node.41', false],
  ['unknown', false],
])('the option for late optimization is set only for known versions of V8: %s', (version, expected) => {
  expect(countsBytecode(version)).toBe(expected)
})

test.each([
  ['11.3.244.8-node.38', false],
  ['12.4.254.21-node.33', true],
  ['13.6.233.17-node.41', true],
  ['unknown', false],
])('only versions of V8 that keep freed pages are asked to return them: %s', (version, expected) => {
  expect(keepsFreedPages(version)).toBe(expected)
})
