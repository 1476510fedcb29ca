import { expect, it } from 'vitest'
import { compareVersions } from './resource-version.ts'

it.each([
  ['1', '1', 0],
  ['9', '10', -1],
  ['10', '9', 1],
  ['99', '100', -1],
  ['18446744073709551615', '18446744073709551614', 1],
  ['x', 'x', 0],
  ['x', '1', 1],
  ['1', 'x', 1],
])('%s compared with %s', (left, right, sign) => {
  expect(Math.sign(compareVersions(left, right))).toBe(sign)
})
