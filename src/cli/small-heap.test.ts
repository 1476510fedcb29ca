import { expect, test } from 'vitest'
import { countsBytecode, keepsFreedPages } from './small-heap.ts'

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
