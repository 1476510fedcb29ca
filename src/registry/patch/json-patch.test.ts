import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../api/error.ts'
import { deepEqual } from '../../base/equal.ts'
import { applyJsonPatch } from './json-patch.ts'
import { unknownOperationMembers } from './json-patch-operations.ts'

interface Case {
  readonly says: string
  readonly document: unknown
  readonly patch: unknown
  readonly result: unknown
}

/** The examples of RFC 6902, appendix A, that succeed. */
const rfcExamples: readonly Case[] = [
  {
    says: 'A.1 adding an object member',
    document: { foo: 'bar' },
    patch: [{ op: 'add', path: '/baz', value: 'qux' }],
    result: { baz: 'qux', foo: 'bar' },
  },
  {
    says: 'A.2 adding an array element',
    document: { foo: ['bar', 'baz'] },
    patch: [{ op: 'add', path: '/foo/1', value: 'qux' }],
    result: { foo: ['bar', 'qux', 'baz'] },
  },
  {
    says: 'A.3 removing an object member',
    document: { baz: 'qux', foo: 'bar' },
    patch: [{ op: 'remove', path: '/baz' }],
    result: { foo: 'bar' },
  },
  {
    says: 'A.4 removing an array element',
    document: { foo: ['bar', 'qux', 'baz'] },
    patch: [{ op: 'remove', path: '/foo/1' }],
    result: { foo: ['bar', 'baz'] },
  },
  {
    says: 'A.5 replacing a value',
    document: { baz: 'qux', foo: 'bar' },
    patch: [{ op: 'replace', path: '/baz', value: 'boo' }],
    result: { baz: 'boo', foo: 'bar' },
  },
  {
    says: 'A.6 moving a value',
    document: { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
    patch: [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
    result: { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
  },
  {
    says: 'A.7 moving an array element',
    document: { foo: ['all', 'grass', 'cows', 'eat'] },
    patch: [{ op: 'move', from: '/foo/1', path: '/foo/3' }],
    result: { foo: ['all', 'cows', 'eat', 'grass'] },
  },
  {
    says: 'A.8 testing a value',
    document: { baz: 'qux', foo: ['a', 2, 'c'] },
    patch: [
      { op: 'test', path: '/baz', value: 'qux' },
      { op: 'test', path: '/foo/1', value: 2 },
    ],
    result: { baz: 'qux', foo: ['a', 2, 'c'] },
  },
  {
    says: 'A.10 adding a nested member object',
    document: { foo: 'bar' },
    patch: [{ op: 'add', path: '/child', value: { grandchild: {} } }],
    result: { foo: 'bar', child: { grandchild: {} } },
  },
  {
    says: 'A.11 ignoring unrecognized elements',
    document: { foo: 'bar' },
    patch: [{ op: 'add', path: '/baz', value: 'qux', xyz: 123 }],
    result: { foo: 'bar', baz: 'qux' },
  },
  {
    says: 'A.14 escape ordering',
    document: { '/': 9, '~1': 10 },
    patch: [{ op: 'test', path: '/~01', value: 10 }],
    result: { '/': 9, '~1': 10 },
  },
  {
    says: 'A.16 adding an array value at the end',
    document: { foo: ['bar'] },
    patch: [{ op: 'add', path: '/foo/-', value: ['abc', 'def'] }],
    result: { foo: ['bar', ['abc', 'def']] },
  },
]

const kubernetesCases: readonly Case[] = [
  {
    says: 'a replace of a missing member adds it',
    document: { spec: {} },
    patch: [{ op: 'replace', path: '/spec/user', value: 'u' }],
    result: { spec: { user: 'u' } },
  },
  {
    says: 'a test for null passes where nothing is',
    document: { spec: {} },
    patch: [{ op: 'test', path: '/spec/user', value: null }],
    result: { spec: {} },
  },
  {
    says: 'a negative index counts from the end',
    document: { list: [1, 2, 3] },
    patch: [
      { op: 'replace', path: '/list/-1', value: 9 },
      { op: 'remove', path: '/list/-3' },
    ],
    result: { list: [2, 9] },
  },
  {
    says: 'a value left out is null',
    document: { a: 1 },
    patch: [{ op: 'add', path: '/a' }],
    result: { a: null },
  },
  {
    says: 'a slash inside a key is written ~1',
    document: { metadata: { annotations: { x: '1' } } },
    patch: [{ op: 'add', path: '/metadata/annotations/example.com~1y', value: '2' }],
    result: { metadata: { annotations: { x: '1', 'example.com/y': '2' } } },
  },
  {
    says: 'copy, then move',
    document: { spec: { displayName: 'b', type: 'User' } },
    patch: [
      { op: 'copy', from: '/spec/displayName', path: '/spec/user' },
      { op: 'move', from: '/spec/user', path: '/spec/team' },
    ],
    result: { spec: { displayName: 'b', team: 'b', type: 'User' } },
  },
  {
    says: 'the whole document can be replaced',
    document: { a: 1 },
    patch: [{ op: 'replace', path: '', value: { b: 2 } }],
    result: { b: 2 },
  },
  { says: 'an empty list changes nothing', document: { a: 1 }, patch: [], result: { a: 1 } },
  { says: 'null is an empty list', document: { a: 1 }, patch: null, result: { a: 1 } },
]

const failing: readonly [string, unknown][] = [
  ['a test that does not hold', { op: 'test', path: '/a', value: 2 }],
  ['a test of another type', { op: 'test', path: '/a', value: '1' }],
  ['removing a missing member', { op: 'remove', path: '/spec' }],
  ['adding below a missing member', { op: 'add', path: '/spec/x', value: 1 }],
  ['adding below a scalar', { op: 'add', path: '/a/b', value: 1 }],
  ['adding past the end of a list', { op: 'add', path: '/list/3', value: 1 }],
  ['an index that is no number', { op: 'add', path: '/list/x', value: 1 }],
  ['an index that ends in a letter', { op: 'replace', path: '/list/0x', value: 1 }],
  ['replacing past the end', { op: 'replace', path: '/list/2', value: 1 }],
  ['an unknown operation', { op: 'bogus', path: '/a' }],
  ['no operation', { path: '/a' }],
  ['no path', { op: 'add', value: 1 }],
  ['a path without a slash', { op: 'add', path: 'a', value: 1 }],
  ['moving without from', { op: 'move', path: '/a' }],
  ['moving a missing member', { op: 'move', from: '/zz', path: '/a' }],
  ['moving into itself', { op: 'move', from: '/list', path: '/list/x' }],
  ['copying from where nothing is', { op: 'copy', from: '/zz/y', path: '/b' }],
  ['adding the root', { op: 'add', path: '', value: {} }],
  ['a scalar as the whole document', { op: 'replace', path: '', value: 5 }],
  ['a member that every object inherits', { op: 'remove', path: '/constructor' }],
  ['a null in place of an operation', null],
]

describe('applyJsonPatch', () => {
  it.each(rfcExamples)('$says', ({ document, patch, result }) => {
    expect(applyJsonPatch(document, patch)).toEqual(result)
  })

  it.each(kubernetesCases)('$says', ({ document, patch, result }) => {
    expect(applyJsonPatch(document, patch)).toEqual(result)
  })

  it.each(failing)('%s is a 422 that keeps its reason', (_, operation) => {
    const thrown = thrownBy(() => applyJsonPatch({ a: 1, list: [1, 2] }, [operation]))
    expect(thrown.status).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
      details: {},
    })
  })

  it.each([
    [{ op: 'add' }, 'object into Go value of type []handlers.jsonPatchOp'],
    ['text', 'string into Go value of type []handlers.jsonPatchOp'],
    [[1], 'number into Go value of type handlers.jsonPatchOp'],
    [[{ op: 5 }], 'number into Go struct field jsonPatchOp.op of type string'],
    [[{ op: 'add', path: [] }], 'array into Go struct field jsonPatchOp.path of type string'],
  ])('%j is not a patch', (body, problem) => {
    const thrown = thrownBy(() => applyJsonPatch({}, body))
    expect(thrown.status).toMatchObject({
      code: 400,
      reason: 'BadRequest',
      message: `error decoding patch: json: cannot unmarshal ${problem}`,
    })
  })

  it('accepts at most 10,000 operations', () => {
    const operations = new Array(10_000).fill({ op: 'add', path: '/spec/user', value: 'x' })
    expect(applyJsonPatch({ spec: {} }, operations)).toEqual({ spec: { user: 'x' } })
    const thrown = thrownBy(() => applyJsonPatch({ spec: {} }, [...operations, operations[0]]))
    expect(thrown.code).toBe(413)
    expect(thrown.message).toBe(
      'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    )
  })

  it('refuses copies that grow a document too much', () => {
    const doubling = new Array(40).fill(0).map((_, index) => ({ op: 'copy', from: '/a', path: `/a/${index}` }))
    expect(thrownBy(() => applyJsonPatch({ a: { text: 'x'.repeat(1000) } }, doubling)).code).toBe(422)
  })

  it('refuses moves that nest a document too deeply', () => {
    const digging = new Array(4000)
      .fill(0)
      .flatMap((_, index) => [
        { op: 'add', path: index % 2 === 0 ? '/b' : '/a', value: {} },
        index % 2 === 0 ? { op: 'move', from: '/a', path: '/b/a' } : { op: 'move', from: '/b', path: '/a/b' },
      ])
    expect(thrownBy(() => applyJsonPatch({ a: {} }, digging)).code).toBe(422)
  })

  it('a copy of a missing member is null', () => {
    expect(applyJsonPatch({ a: 1 }, [{ op: 'copy', from: '/zz', path: '/b' }])).toEqual({ a: 1, b: null })
  })

  it('a copy is independent of its source', () => {
    const patch = [
      { op: 'add', path: '/a/x', value: 1 },
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'add', path: '/b/y', value: 2 },
      { op: 'add', path: '/a/z', value: 3 },
    ]
    expect(applyJsonPatch({ a: {} }, patch)).toEqual({ a: { x: 1, z: 3 }, b: { x: 1, y: 2 } })
  })

  it('copied lists are independent of their source', () => {
    const patch = [
      { op: 'add', path: '/a/0/x', value: 1 },
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'add', path: '/b/-', value: 'new' },
      { op: 'add', path: '/b/0/y', value: 2 },
    ]
    expect(applyJsonPatch({ a: [{}] }, patch)).toEqual({ a: [{ x: 1 }], b: [{ x: 1, y: 2 }, 'new'] })
  })

  it('changes neither the document nor the patch', () => {
    const document = deepFreeze({ a: { list: [{ b: 1 }] } })
    const patch = deepFreeze([
      { op: 'add', path: '/c', value: { d: {} } },
      { op: 'add', path: '/c/d/e', value: 1 },
      { op: 'add', path: '/a/list/0/b', value: 2 },
    ])
    const expected = { a: { list: [{ b: 2 }] }, c: { d: { e: 1 } } }
    expect(applyJsonPatch(document, patch)).toEqual(expected)
    expect(applyJsonPatch(document, patch)).toEqual(expected)
  })

  it('shares unchanged values', () => {
    const document = { a: { b: 1 }, c: { d: 1 } }
    const result = applyJsonPatch(document, [{ op: 'add', path: '/a/x', value: 1 }])
    expect(result).toHaveProperty('c', document.c)
    expect((result as typeof document).c).toBe(document.c)
  })

  it('treats the names of built-in members as plain members', () => {
    const document = JSON.parse('{"__proto__": {"a": 1}}')
    const patched = applyJsonPatch(document, [
      { op: 'add', path: '/__proto__/b', value: 2 },
      { op: 'add', path: '/constructor', value: 3 },
    ])
    expect(JSON.stringify(patched)).toBe('{"__proto__":{"a":1,"b":2},"constructor":3}')
    expect(Object.hasOwn(Object.prototype, 'b')).toBe(false)
  })

  it('throws nothing but ApiError', () => {
    const pointer = fc.oneof(
      fc.constantFrom('', '/', '/a', '/a/b', '/a/0', '/a/-', '/list/-1', '/list/0', '/__proto__', '/a/b/c', 'x'),
      fc.string(),
    )
    const operation = fc.record(
      {
        op: fc.oneof(fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'), fc.anything()),
        path: fc.oneof(pointer, fc.anything()),
        from: fc.oneof(pointer, fc.anything()),
        value: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.jsonValue(), fc.oneof(fc.array(operation), fc.jsonValue()), (inner, body) => {
        const document = { a: inner, list: [inner, {}] }
        const before = JSON.stringify(document)
        try {
          applyJsonPatch(document, body)
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError)
        }
        expect(JSON.stringify(document)).toBe(before)
      }),
    )
  })

  it('an added value can be tested and removed again', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.jsonValue(), (document, key, value) => {
        const path = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
        const added = applyJsonPatch(document, [
          { op: 'add', path, value },
          { op: 'test', path, value },
        ])
        const removed = applyJsonPatch(added, [{ op: 'remove', path }])
        const { [key]: _, ...rest } = document
        expect(deepEqual(removed, rest)).toBe(true)
      }),
    )
  })
})

describe('unknownOperationMembers', () => {
  it('names each with its place', () => {
    expect(
      unknownOperationMembers([
        { op: 'add', extra: 1 },
        { path: '', Op: 'x' },
      ]),
    ).toEqual(['json patch unknown field "[0].extra"', 'json patch unknown field "[1].Op"'])
  })
})

function thrownBy(action: () => unknown): ApiError {
  try {
    action()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) deepFreeze(child)
    Object.freeze(value)
  }
  return value
}
