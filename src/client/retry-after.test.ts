import { expect, it } from 'vitest'
import { retryAfterSeconds } from './retry-after.ts'

it.each([
  [undefined, undefined],
  ['', undefined],
  ['soon', undefined],
  ['-1', undefined],
  ['Infinity', undefined],
  ['Sun, 15 Nov 2026 09:00:00 GMT', undefined],
  ['0', 0],
  ['7', 7],
])('%j means %j', (header, expected) => {
  expect(retryAfterSeconds(header === undefined ? {} : { 'retry-after': header })).toBe(expected)
})
