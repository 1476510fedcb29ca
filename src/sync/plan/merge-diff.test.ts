import { expect, it } from 'vitest'
import { mergeDiff } from './merge-diff.ts'

it.each<[string, unknown, unknown, unknown]>([
  ['nothing changes', { a: 1, b: [1] }, { b: [1], a: 1 }, undefined],
  ['a member is set', { a: 1 }, { a: 2 }, { a: 2 }],
  ['a member goes', { a: 1, b: { c: 1, d: 2 } }, { b: { d: 2 } }, { a: null, b: { c: null } }],
  ['all goes', { a: 1 }, undefined, null],
  ['all comes', undefined, { a: 1 }, { a: 1 }],
  ['a list is replaced', { a: [1, 2] }, { a: [2] }, { a: [2] }],
])('%s', (_story, before, after, patch) => {
  expect(mergeDiff(before, after)).toEqual(patch)
})

it('keeps members with the names of inherited ones', () => {
  const patch = mergeDiff({}, JSON.parse('{"__proto__": {"a": 1}}'))
  expect(JSON.stringify(patch)).toBe('{"__proto__":{"a":1}}')
})
