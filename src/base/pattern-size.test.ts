import { RE2JS } from 're2js'
import { expect, it } from 'vitest'
import { estimatedSize } from './pattern-size.ts'

it.each([
  '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
  'x{1000}',
  '(ab(cd){3,7}){20}',
  '[[:alpha:]\\]]{2,}\\{4}',
  '\\p{L}{30}|(?:y{5}){6}',
])('the size of %s is known before it is compiled', (source) => {
  const size = RE2JS.compile(source).programSize()
  expect(estimatedSize(source)).toBeGreaterThan(size / 3)
  expect(estimatedSize(source)).toBeLessThan(size * 3)
})

it.each([
  ['[', 1_000_000],
  ['\\p{', 600_000],
])('each character is read once if %s is never closed', (text, times) => {
  expect(estimatedSize(text.repeat(times))).toBeGreaterThanOrEqual(times)
})
