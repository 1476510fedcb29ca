import { expect, it } from 'vitest'
import { alikeName } from './alike-names.ts'

it.each([
  ['case', 'Admin'],
  ['spaces around it', '  admin '],
  ['wide letters', 'ａｄｍｉｎ'],
  ['a letter with a mark', 'admín'],
  ['a mark of its own', 'admin\u0301\u0301'],
  ['a capital with a dot', 'admİn'],
  ['a variation selector', 'ad\ufe0fmin'],
  ['a grapheme joiner', 'ad\u034fmin'],
  ['characters that RFC 4518 ignores', 'a\u1806dmin\ufffc'],
])('a directory may treat a name as the same with %s', (_, spelling) => {
  expect(alikeName(spelling)).toBe(alikeName('admin'))
})

it('folds letters without a single counterpart in the other case', () => {
  expect(alikeName('STRAẞE')).toBe(alikeName('straße'))
  expect(alikeName('straße')).toBe(alikeName('strasse'))
  expect(alikeName('ΟΔΟΣ')).toBe(alikeName('οδος'))
  expect(alikeName('οδος')).toBe(alikeName('οδοσ'))
})

it('distinguishes other names', () => {
  expect(new Set(['admin', 'admin2', 'ad min', 'admin@example.com', '管理者'].map(alikeName)).size).toBe(5)
})
