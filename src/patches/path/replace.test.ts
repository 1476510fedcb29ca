import { describe, expect, it } from 'vitest'
import { replaceAt } from './replace.ts'

describe('replacing', () => {
  it('makes all changes at once and shares the rest', () => {
    const before = { list: [{ a: 1 }, { a: 2 }, { a: 3 }], other: { x: 1 } }
    const after = replaceAt(before, [
      { path: ['list', 0, 'a'], value: 10 },
      { path: ['list', 2, 'a'], value: undefined },
    ])
    expect(after).toEqual({ list: [{ a: 10 }, { a: 2 }, {}], other: { x: 1 } })
    expect(before).toEqual({ list: [{ a: 1 }, { a: 2 }, { a: 3 }], other: { x: 1 } })
    expect(after).toHaveProperty(
      'other',
      expect.toSatisfy((other) => other === before.other),
    )
  })

  it('removes several elements of one array by their original positions', () => {
    const removals = [0, 2, 3].map((position) => ({ path: ['list', position], value: undefined }))
    expect(replaceAt({ list: ['a', 'b', 'c', 'd', 'e'] }, removals)).toEqual({ list: ['b', 'e'] })
  })

  it('returns the same object when there is nothing to do', () => {
    const before = { a: 1 }
    expect(replaceAt(before, [])).toBe(before)
  })

  it('stores and removes a member named __proto__ without touching prototypes', () => {
    const before = JSON.parse('{"spec":{"__proto__":"x","b":1}}')
    const after = replaceAt(before, [{ path: ['spec', '__proto__'], value: { polluted: true } }])
    expect(JSON.stringify(after)).toBe('{"spec":{"__proto__":{"polluted":true},"b":1}}')
    expect(JSON.stringify(replaceAt(before, [{ path: ['spec', '__proto__'], value: undefined }]))).toBe(
      '{"spec":{"b":1}}',
    )
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})
