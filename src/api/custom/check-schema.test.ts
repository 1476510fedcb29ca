import { describe, expect, it } from 'vitest'
import { schemaErrors } from './check-schema.ts'
import type { SchemaNode } from './schema-node.ts'

function problems(field: SchemaNode): readonly string[] {
  const schema = { type: 'object', properties: { a: field } }
  return schemaErrors(schema, 's').map((each) => `${each.field.replace('s.properties[a]', 'a')}: ${each.message}`)
}

const items = (properties: SchemaNode, more: SchemaNode = {}) => ({ type: 'object', properties, ...more })

const cases: readonly (readonly [SchemaNode, readonly string[]])[] = [
  [{ type: 'string' }, []],
  [{}, ['a.type: Required value: must not be empty for specified object fields']],
  [{ 'x-kubernetes-int-or-string': true }, []],
  [{ 'x-kubernetes-preserve-unknown-fields': true }, []],
  [
    { type: 'strin' },
    [
      'a.type: Unsupported value: "strin": supported values: "array", "boolean", "integer", "number", "object", "string"',
    ],
  ],
  [{ $ref: '#/x' }, ['a.$ref: Forbidden: $ref is not supported']],
  [{ type: 'array', items: {} }, ['a.items.type: Required value: must not be empty for specified array items']],
  [
    { type: 'string', pattern: '[' },
    [
      'a.pattern: Invalid value: "[": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ]: `[`',
    ],
  ],
  [
    { type: 'integer', default: 'x' },
    ['a.default: Invalid value: "string":  in body must be of type integer: "string"'],
  ],
  [
    { type: 'object', properties: { b: { type: 'string' } }, default: { c: 1 } },
    ['a.default: Invalid value: {"c":1}: must not have unknown fields'],
  ],
  [
    { type: 'string', anyOf: [{ type: 'string' }, { default: 'x' }] },
    [
      'a.anyOf[0].type: Forbidden: must be empty to be structural',
      'a.anyOf[1].default: Forbidden: must be undefined to be structural',
    ],
  ],
  [{ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }, []],
  [
    { type: 'array', uniqueItems: true, items: { type: 'string' } },
    ['a.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic'],
  ],
  [
    {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['n'],
      items: items({ n: { type: 'string' } }),
    },
    [
      'a.items.properties[n].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
    ],
  ],
  [
    { type: 'array', 'x-kubernetes-list-type': 'set', items: items({ n: { type: 'string' } }) },
    [
      'a.items.x-kubernetes-map-type: Invalid value: "null": must be atomic as item of a list with x-kubernetes-list-type=set',
    ],
  ],
  [
    { type: 'object', 'x-kubernetes-map-type': 'tree' },
    ['a.x-kubernetes-map-type: Unsupported value: "tree": supported values: "atomic", "granular"'],
  ],
]

describe('what keeps a schema from being structural', () => {
  it.each(cases)('%j', (field, expected) => {
    expect(problems(field)).toEqual(expected)
  })

  it('is that the root is no object', () => {
    expect(schemaErrors({ type: 'string' }, 's')).toMatchObject([
      { field: 's.type', message: 'Invalid value: "string": must be object at the root' },
    ])
  })

  it('is that it restricts more of the metadata than names', () => {
    const metadata = { type: 'object', properties: { name: { type: 'string' }, labels: { type: 'object' } } }
    expect(schemaErrors({ type: 'object', properties: { metadata } }, 's')).toMatchObject([
      { field: 's.properties[metadata]', reason: 'FieldValueForbidden' },
    ])
  })

  it('is that it is nested too deeply', () => {
    let schema: SchemaNode = { type: 'string' }
    for (let depth = 0; depth < 500; depth++) schema = { type: 'array', items: schema }
    expect(problems(schema)).toEqual([expect.stringContaining('schemas may be nested at most 100 deep')])
  })
})
