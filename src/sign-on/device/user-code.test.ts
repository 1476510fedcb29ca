import { expect, it } from 'vitest'
import { newUserCode, printUserCode, readUserCode } from './user-code.ts'

it('uses every letter with the same probability', () => {
  const bytes = [255, 250, 240, 239, 0, 19, 20, 1, 2, 3, 4, 5]
  let at = 0
  const random = { bytes: (count: number) => Uint8Array.from({ length: count }, () => bytes[at++ % bytes.length] ?? 0) }
  expect(newUserCode(random)).toBe('ZBZBCDFG')
})

it.each([
  ['BCDF-GHJK', 'BCDFGHJK'],
  [' bcdf ghjk ', 'BCDFGHJK'],
  ['BCDFGHJK', 'BCDFGHJK'],
  ['BCDF-GHJ', undefined],
  ['BCDF-GHJA', undefined],
  ['BCDF_GHJK', undefined],
  ['', undefined],
])('%j is read as %j', (typed, code) => {
  expect(readUserCode(typed)).toBe(code)
})

it('is parsed as it is printed', () => {
  expect(readUserCode(printUserCode('BCDFGHJK'))).toBe('BCDFGHJK')
})
