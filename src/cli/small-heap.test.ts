import { expect, test } from 'vitest'
import { countsBytecode } from './small-heap.ts'

test.each([
  ['11.3.244.8-node.38', true],
  ['12.4.254.21-node.33', false],
  ['13.6.233.17-node.41', false],
  ['unknown', false],
])('the option for late optimization is set only for known versions of V8: %s', (version, expected) => {
  expect(countsBytecode(version)).toBe(expected)
})
