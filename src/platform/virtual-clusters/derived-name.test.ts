import { expect, it } from 'vitest'
import { derivedNames } from './derived-name.ts'

it('names derived from a wanted one and a uid are stable, increasingly long, and valid labels', () => {
  const [short = '', long, longest] = derivedNames('dev', 'uid-2')
  expect(short).toMatch(/^dev-[0-9a-z]{5}$/)
  expect(long).toMatch(/^dev-[0-9a-z]{10}$/)
  expect(longest).toMatch(/^dev-[0-9a-z]{20}$/)
  expect(derivedNames('dev', 'uid-2')[0]).toBe(short)
  expect(derivedNames('dev', 'uid-4')[0]).not.toBe(short)
  expect(derivedNames('a'.repeat(63), 'uid-2').map(({ length }) => length)).toEqual([63, 63, 63])
})
