import { describe, expect, it } from 'vitest'
import { atOnce } from '../../base/steps.ts'
import { readV2Document } from './v2-document.ts'

const own = { group: 'example.com', version: 'v1' }
const gvk = 'x-kubernetes-group-version-kind'
const ownKind = { group: 'example.com', version: 'v1', kind: 'Foo' }

function read(document: object) {
  const { paths, definitions } = atOnce(readV2Document(JSON.stringify({ swagger: '2.0', ...document }), own))
  return { paths, definitions }
}

describe('the part of the OpenAPI 2 document of another server that is used', () => {
  it('is about its own version: kinds, and what they refer to', () => {
    const definitions = {
      Foo: { type: 'object', properties: { bar: { $ref: '#/definitions/Bar' } }, [gvk]: [ownKind] },
      Bar: { type: 'object', properties: { foo: { $ref: '#/definitions/Foo' }, lost: { $ref: '#/definitions/Lost' } } },
      Other: { type: 'object', [gvk]: [{ ...ownKind, version: 'v2' }] },
    }
    const taken = read({ definitions }).definitions
    expect(taken).toEqual({ Foo: definitions.Foo, Bar: definitions.Bar, Lost: {} })
  })

  it('contains no kinds of other servers', () => {
    const definitions = {
      Foo: { type: 'object', [gvk]: [ownKind, { group: '', version: 'v1', kind: 'Pod' }] },
      Pod: { type: 'object', [gvk]: [{ group: '', version: 'v1', kind: 'Pod' }] },
    }
    expect(read({ definitions }).definitions).toEqual({ Foo: { type: 'object', [gvk]: [ownKind] } })
  })

  it('contains only its own paths', () => {
    const get = { operationId: 'list', responses: { 200: { description: 'OK', schema: { $ref: '#/definitions/L' } } } }
    const patch = {
      [gvk]: ownKind,
      'x-kubernetes-action': 'patch',
      parameters: [
        { name: 'dryRun', in: 'query', type: 'string', uniqueItems: true },
        { name: 'body', in: 'body', required: true, schema: { type: 'object' } },
        { name: 'cookie', in: 'header' },
      ],
    }
    const mine = '/apis/example.com/v1/foos/{name}'
    const paths = { [mine]: { get, patch, head: get }, '/api/v1/pods': { get }, '/apis/example.com/v11/foos': { get } }
    const taken = read({ paths, definitions: { L: { type: 'object' } } })
    expect(Object.keys(taken.paths)).toEqual([mine])
    expect(taken.paths[mine]).toMatchObject({
      get: { operationId: 'list', responses: get.responses },
      patch: {
        [gvk]: ownKind,
        parameters: [
          { name: 'dryRun', in: 'query', type: 'string' },
          { name: 'body', in: 'body', required: true, schema: { type: 'object' } },
        ],
      },
    })
    expect(taken.paths[mine]).not.toHaveProperty('head')
    expect(taken.definitions).toEqual({ L: { type: 'object' } })
  })

  it('contains no values of unexpected types', () => {
    const odd = {
      type: { toString: 1 },
      description: 7,
      required: [{}, 'a'],
      $ref: 'https://elsewhere',
      items: [],
      properties: { a: null, b: { type: 'string', evil: true } },
      additionalProperties: true,
      default: { any: 'thing' },
      'x-other': 1,
      'x-kubernetes-preserve-unknown-fields': 'yes',
      [gvk]: [ownKind, null, 'x'],
    }
    expect(read({ definitions: { Foo: odd } }).definitions).toEqual({
      Foo: { required: ['a'], properties: { a: {}, b: { type: 'string' } }, [gvk]: [ownKind] },
    })
  })

  it('is truncated if it is nested too deeply', () => {
    let schema: object = { type: 'string' }
    for (let level = 0; level < 1_000; level++) schema = { type: 'array', items: schema }
    expect(JSON.stringify(read({ definitions: { Foo: { ...schema, [gvk]: [ownKind] } } })).length).toBeLessThan(3_000)
  })

  it.each<readonly [string, object]>([
    ['another dialect', { swagger: '3.0' }],
    [
      'too many definitions',
      {
        definitions: Object.fromEntries(
          Array.from({ length: 2_001 }, (_, index) => [`D${index}`, { type: 'object', [gvk]: [ownKind] }]),
        ),
      },
    ],
    [
      'too much text',
      {
        definitions: Object.fromEntries(
          Array.from({ length: 200 }, (_, index) => [
            `D${index}`,
            { description: 'x'.repeat(4_000), [gvk]: [ownKind] },
          ]),
        ),
      },
    ],
  ])('is nothing of %s', (_, document) => {
    expect(() => read(document)).toThrow(/^it (is|has)/)
  })

  it('is read in steps: each path and each definition is one', () => {
    const paths = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`/apis/example.com/v1/p${at}`, {}]))
    const definitions = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`d${at}`, { [gvk]: [ownKind] }]))
    const text = JSON.stringify({ swagger: '2.0', paths, definitions })
    expect([...readV2Document(text, own)].length).toBeGreaterThan(500)
  })

  it('is empty if the document is invalid', () => {
    for (const text of ['', '[]', 'null', '{"swagger":2}']) expect(() => atOnce(readV2Document(text, own))).toThrow()
  })
})
