import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepEqual } from '../../base/equal.ts'
import { applyMergePatch } from './merge-patch.ts'

const object = fc.dictionary(fc.string(), fc.jsonValue())

describe('applyMergePatch', () => {
  /** The examples of RFC 7386, appendix A, whose patch is an object. */
  it.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j patched with %j is %j', (document, patch, result) => {
    expect(applyMergePatch(document, patch)).toEqual(result)
  })

  it.each([
    [[1], 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}'],
    ['a', 'error decoding patch: json: cannot unmarshal string into Go value of type map[string]interface {}'],
    [null, 'Invalid JSON Patch'],
  ])('%j is not a merge patch', (patch, message) => {
    expect(() => applyMergePatch({}, patch)).toThrow(message)
  })

  it('an empty patch changes nothing', () => {
    fc.assert(
      fc.property(object, (document) => {
        expect(deepEqual(applyMergePatch(document, {}), document)).toBe(true)
      }),
    )
  })

  it('applying a patch twice is the same as applying it once', () => {
    fc.assert(
      fc.property(object, object, (document, patch) => {
        const once = applyMergePatch(document, patch)
        expect(deepEqual(applyMergePatch(once, patch), once)).toBe(true)
      }),
    )
  })

  it('never changes the document', () => {
    fc.assert(
      fc.property(object, object, (document, patch) => {
        const before = JSON.stringify(document)
        applyMergePatch(document, patch)
        expect(JSON.stringify(document)).toBe(before)
      }),
    )
  })

  it('null deletes in objects of a list', () => {
    const list = [{ a: 1, b: null }, null, [{ c: null }]]
    expect(applyMergePatch({ list: [] }, { list })).toEqual({ list: [{ a: 1 }, null, [{}]] })
    expect(applyMergePatch({}, { new: { list } })).toEqual({ new: { list: [{ a: 1 }, null, [{}]] } })
  })

  it('treats the names of built-in members as plain members', () => {
    const patched = applyMergePatch({ a: 1 }, JSON.parse('{"__proto__": {"polluted": true}, "constructor": null}'))
    expect(JSON.stringify(patched)).toBe('{"a":1,"__proto__":{"polluted":true}}')
  })
})
