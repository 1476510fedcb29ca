import { expect, it } from 'vitest'
import { toYaml } from './to-yaml.ts'

it.each([
  ['2026-11-18T00:29:06Z', '"2026-11-18T00:29:06Z"'],
  ['2026-11-18T00:29:06.123456Z', '"2026-11-18T00:29:06.123456Z"'],
  ['2026-11-18', '"2026-11-18"'],
  ['2026-11-18-web', '2026-11-18-web'],
  ['web', 'web'],
  ['5', '"5"'],
])('the text %s is printed as %s', (text, printed) => {
  expect(toYaml({ a: text })).toBe(`a: ${printed}\n`)
})
