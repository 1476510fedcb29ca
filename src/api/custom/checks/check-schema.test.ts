import { describe, expect, it } from 'vitest'
import type { SchemaNode } from '../schema-node.ts'
import { schemaErrorSteps, schemaErrors } from './check-schema.ts'

function problems(field: SchemaNode): readonly string[] {
  const schema = { type: 'object', properties: { a: field } }
  return schemaErrors(schema, 's').map((each) => `${each.field.replace('s.properties[a]', 'a')}: ${each.message}`)
}

const keeps = { 'x-kubernetes-preserve-unknown-fields': true }
const items = (properties: SchemaNode, more: SchemaNode = {}) => ({ type: 'object', properties, ...more })

const rule = (text: string) => ({ 'x-kubernetes-validations': [{ rule: text }] })

const cases: readonly (readonly [SchemaNode, readonly string[]])[] = [
  [
    { type: 'object', default: {}, required: ['b'], properties: { b: { type: 'string', default: 'q' } } },
    ['a.default.b: Required value'],
  ],
  [
    {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      ...keeps,
      default: { apiVersion: 'v1', kind: 'Pod', metadata: { labels: 5 } },
    },
    [
      'a.default.metadata: Invalid value: map[string]interface {}{"labels":5}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string',
    ],
  ],
  [
    { type: 'integer', default: 3, ...rule('self > 5') },
    ['a.default: Invalid value: "integer": failed rule: self > 5'],
  ],
  [{ type: 'integer', default: 7, ...rule('self > 5') }, []],
  [
    { type: 'object', default: { b: 'x' }, properties: { b: { type: 'string', ...rule('self.startsWith("y")') } } },
    ['a.default.b: Invalid value: "string": failed rule: self.startsWith("y")'],
  ],
  [
    {
      type: 'string',
      default: 'x',
      'x-kubernetes-validations': [{ rule: 'oldSelf.hasValue() || self == "y"', optionalOldSelf: true }],
    },
    ['a.default: Invalid value: "string": failed rule: oldSelf.hasValue() || self == "y"'],
  ],
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
    { type: 'array', items: { type: 'string' }, default: [1] },
    ['a.default.[0]: Invalid value: "integer": [0] in body must be of type string: "integer"'],
  ],
  [
    { type: 'object', properties: { b: { type: 'string' } }, default: { c: 1 } },
    ['a.default: Invalid value: map[string]interface {}{"c":1}: must not have unknown fields'],
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
    {
      'x-kubernetes-int-or-string': true,
      allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: '^[0-9]+%?$' }],
    },
    [],
  ],
  [
    { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer', pattern: '[' }, { type: 'string' }] },
    [
      'a.anyOf[0].pattern: Invalid value: "[": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ]: `[`',
      'a.anyOf[0].type: Forbidden: must be empty to be structural',
      'a.anyOf[1].type: Forbidden: must be empty to be structural',
    ],
  ],
  [
    { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true },
    [
      'a.x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true',
    ],
  ],
  [{ type: 'array' }, ['a.items: Required value: must be specified']],
  [
    items({ b: { type: 'string' } }, { additionalProperties: false }),
    ['a.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive'],
  ],
  [
    { type: 'string', 'x-kubernetes-embedded-resource': true, ...keeps },
    ['a.type: Invalid value: "string": must be object if x-kubernetes-embedded-resource is true'],
  ],
  [
    { type: 'object', 'x-kubernetes-embedded-resource': true },
    [
      'a.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
    ],
  ],
  [
    items({ metadata: { type: 'string' }, kind: { type: 'integer' } }, { 'x-kubernetes-embedded-resource': true }),
    [
      'a.properties[kind].type: Invalid value: "integer": must be string',
      'a.properties[metadata].type: Invalid value: "string": must be object',
    ],
  ],
  [{ type: 'string', anyOf: [{ 'x-kubernetes-int-or-string': false, nullable: false }] }, []],
  [
    {
      type: 'object',
      allOf: [
        { externalDocs: {}, 'x-kubernetes-validations': [{ rule: 'true' }] },
        { properties: { metadata: { required: ['name'] } } },
      ],
    },
    [
      'a.allOf[0].x-kubernetes-validations: Forbidden: must be empty to be structural',
      'a.allOf[1].properties[metadata]: Forbidden: must not be specified in a nested context',
    ],
  ],
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
  [{ type: 'array', items: { type: 'string', enum: [] }, 'x-kubernetes-list-type': 'set', default: ['b', 'b'] }, []],
  [
    { $ref: '', type: 'string', dependencies: {} },
    ['a.dependencies: Forbidden: dependencies is not supported', 'a.$ref: Forbidden: $ref is not supported'],
  ],
  [{ type: 'string', id: '', definitions: {}, patternProperties: {} }, []],
  [
    { type: 'null' },
    [
      'a.type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", "string"',
      'a.type: Forbidden: type cannot be set to null, use nullable as an alternative',
    ],
  ],
  [
    {
      type: 'string',
      'x-kubernetes-preserve-unknown-fields': false,
      'x-kubernetes-list-type': '',
      'x-kubernetes-map-type': '',
    },
    [
      'a.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined',
      'a.type: Invalid value: "string": must be object if x-kubernetes-map-type is specified',
      'a.x-kubernetes-map-type: Unsupported value: "": supported values: "atomic", "granular"',
      'a.type: Invalid value: "string": must be array if x-kubernetes-list-type is specified',
      'a.x-kubernetes-list-type: Unsupported value: "": supported values: "atomic", "set", "map"',
    ],
  ],
  [
    { ...keeps, 'x-kubernetes-list-type': 'set' },
    ['a.type: Required value: must be array if x-kubernetes-list-type is specified'],
  ],
  [
    {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['n', 'n', 'o', 'p'],
      items: items(
        { n: { type: 'string', nullable: true }, o: { type: 'object' } },
        { nullable: true, required: ['n', 'o'] },
      ),
    },
    [
      'a.x-kubernetes-list-map-keys: Invalid value: []string{"n", "n", "o", "p"}: must not contain duplicate entries',
      'a.items.properties[o].type: Invalid value: "object": must be a scalar type if parent array\'s x-kubernetes-list-type is map',
      'a.x-kubernetes-list-map-keys: Invalid value: []string{"n", "n", "o", "p"}: entries must all be names of item properties',
      'a.items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is map',
      'a.items.properties[n].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable',
      'a.items.properties[n].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable',
    ],
  ],
  [
    {
      type: 'array',
      'x-kubernetes-list-map-keys': ['n'],
      'x-kubernetes-list-type': 'atomic',
      items: { type: 'string' },
    },
    ['a.x-kubernetes-list-type: Invalid value: "atomic": must be map if x-kubernetes-list-map-keys is non-empty'],
  ],
  [{ type: 'string', anyOf: [{ type: 'integer' }, { type: 'string' }], oneOf: [{ additionalProperties: false }] }, []],
  [
    { type: 'object', 'x-kubernetes-map-type': 'tree' },
    ['a.x-kubernetes-map-type: Unsupported value: "tree": supported values: "atomic", "granular"'],
  ],
]

it('a default of the whole object needs an apiVersion and a kind', () => {
  const found = schemaErrors({ type: 'object', default: {} }, 's').map(({ field, message }) => `${field}: ${message}`)
  expect(found).toEqual([
    's.default.apiVersion: Required value: must not be empty',
    's.default.kind: Required value: must not be empty',
  ])
})

it('rules can read the type and the metadata in a default of the whole object', () => {
  const fallback = { apiVersion: 'example.com/v1', kind: 'Apple', metadata: { name: 'x' } }
  const found = schemaErrors({ type: 'object', default: fallback, ...rule('self.metadata.name == "y"') }, 's')
  expect(found.map(({ field, message }) => `${field}: ${message}`)).toEqual([
    's.default: Invalid value: "object": failed rule: self.metadata.name == "y"',
  ])
})

describe('a schema that is not structural', () => {
  it.each(cases)('%j', (field, expected) => {
    expect(problems(field)).toEqual(expected)
  })

  it('has a root that is not an object', () => {
    expect(schemaErrors({ type: 'string' }, 's')).toMatchObject([
      { field: 's.type', message: 'Invalid value: "string": must be object at the root' },
    ])
  })

  it.each<[SchemaNode, boolean, string[]]>([
    [{ type: 'object', nullable: true }, false, ['s.nullable: Forbidden: nullable cannot be true at the root']],
    [{ type: 'object', $schema: 'x' }, false, [`s: Invalid value: "": OpenAPIV3Schema 'schema' is not supported`]],
    [{ type: 'object', anyOf: [{}] }, false, []],
    [{ type: 'object', anyOf: [{}] }, true, [expect.stringContaining('fields are allowed at the root of the schema')]],
    [{ type: 'object', title: 't', required: ['a'], nullable: false }, true, []],
    [
      { type: 'object', properties: { kind: { type: 'string', default: 'K' } } },
      false,
      ['s.properties[kind].default: Forbidden: must not be set in top-level kind'],
    ],
  ])('has a forbidden field at the root: %j, with a status: %s', (schema, hasStatus, expected) => {
    const found = schemaErrors(schema, 's', { hasStatus })
    expect(found.map(({ field, message }) => `${field}: ${message}`)).toEqual(expected)
  })

  it('restricts more of the metadata than the name', () => {
    const metadata = { type: 'object', properties: { name: { type: 'string' }, labels: { type: 'object' } } }
    expect(schemaErrors({ type: 'object', properties: { metadata } }, 's')).toMatchObject([
      { field: 's.properties[metadata]', reason: 'FieldValueForbidden' },
    ])
  })

  it.each([
    ['an invalid pattern', { type: 'string', pattern: '[' }, 's.properties[metadata].properties[name].pattern'],
    ['no type', {}, 's.properties[metadata].properties[name].type'],
  ])('restricts a name by %s', (_, name, field) => {
    const metadata = { type: 'object', properties: { name } }
    expect(schemaErrors({ type: 'object', properties: { metadata } }, 's')).toMatchObject([{ field }])
  })

  it.each([
    [{ type: 'object', additionalProperties: { type: 'string' } }, ['s.additionalProperties']],
    [{ type: 'object', properties: { kind: { type: 'integer' } } }, ['s.properties[kind].type']],
    [keeps, []],
  ])('has a root that is not an object: %j', (schema, fields) => {
    expect(schemaErrors(schema, 's').map(({ field }) => field)).toEqual(fields)
  })

  it.each([
    [
      { anyOf: [{ required: ['b'] }, { properties: { b: {}, c: { minLength: 1 } } }] },
      ['s.properties[c]: Required value: because it is defined in s.anyOf[1].properties[c]'],
    ],
    [
      { not: { allOf: [{ properties: { b: { items: { properties: { x: {} } } } } }] } },
      ['s.properties[b].items: Required value: because it is defined in s.not.allOf[0].properties[b].items'],
    ],
    [{ properties: { b: { type: 'object', not: { properties: { x: {} } } } } }, []],
  ])('has a rule at the root for an undeclared field: %j', (more, expected) => {
    const found = schemaErrors({ type: 'object', properties: { b: { type: 'string' } }, ...more }, 's')
    expect(found.map(({ field, message }) => `${field}: ${message}`)).toEqual(expected)
  })

  it('is nested too deeply', () => {
    let schema: SchemaNode = { type: 'string' }
    for (let depth = 0; depth < 500; depth++) schema = { type: 'array', items: schema }
    expect(problems(schema)).toEqual([expect.stringContaining('schemas may be nested at most 100 deep')])
  })
})

it('a large schema is checked in steps, with the same result as at once', () => {
  const properties = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`p${at}`, { type: 'string' }]))
  const schema = { type: 'object', properties: { ...properties, bad: { type: 'array' } } }
  const steps = schemaErrorSteps(schema, 's')
  let count = 0
  for (let next = steps.next(); ; next = steps.next()) {
    if (next.done !== true) count += 1
    else {
      expect(next.value).toEqual(schemaErrors(schema, 's'))
      break
    }
  }
  expect(count).toBeGreaterThanOrEqual(5)
})
