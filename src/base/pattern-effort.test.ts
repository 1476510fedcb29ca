import { expect, it } from 'vitest'
import { compilingEffort } from './pattern-effort.ts'

it.each<[string, number]>([
  ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', 200],
  ['(?i)^[a-z0-9._-]+@[a-z]{2,63}$', 200],
  ['^\\p{L}{1,253}$', 500],
])('%s takes little effort', (source, most) => {
  expect(compilingEffort(source)).toBeLessThan(most)
})

it.each([
  `[${'\\p{L}'.repeat(390)}]`,
  `(?i)[${'\\PL'.repeat(600)}]`,
  `(?i)[${'B-\u{1e942}'.repeat(100)}]`,
  `(?s-i:(?mi)[${'\\x{42}-\\x{1e942}'.repeat(100)}])`,
])('what a class contains takes effort', (source) => {
  expect(compilingEffort(source)).toBeGreaterThan(50_000)
})

it('a range costs nothing extra as long as case counts', () => {
  expect(compilingEffort(`[${'B-\u{1e942}'.repeat(100)}]`)).toBeLessThan(1_000)
})
