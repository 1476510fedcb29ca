import { describe, expect, it } from 'vitest'
import { invalid } from '../error.ts'
import { compileStructure } from './compile.ts'
import type { SchemaNode } from './schema-node.ts'
import { validateValue } from './validate.ts'

function problems(schema: SchemaNode, value: unknown, old?: unknown): readonly string[] {
  const structure = compileStructure({ type: 'object', properties: { f: schema } })
  const before = old === undefined ? undefined : { f: old }
  return validateValue(structure, { f: value }, before).map(({ field, message }) => `${field}: ${message}`)
}

const either = [{ required: ['x'] }, { required: ['y'] }]

const cases: readonly (readonly [SchemaNode, unknown, readonly string[]])[] = [
  [{ type: 'string' }, 5, ['f: Invalid value: "integer": f in body must be of type string: "integer"']],
  [{ type: 'integer' }, 1.5, ['f: Invalid value: "number": f in body must be of type integer: "number"']],
  [{ type: 'integer' }, 1e20, ['f: Invalid value: "number": f in body must be of type integer: "number"']],
  [{ type: 'integer', format: 'int32' }, 2 ** 40, []],
  [{ type: 'number' }, 1, []],
  [
    { type: 'string', enum: ['a'], anyOf: [{ minLength: 1 }, { pattern: 'x' }], not: { minLength: 9 } },
    3,
    [
      'f: Invalid value: "integer": f in body must be of type string: "integer"',
      'f: Unsupported value: 3: supported values: "a"',
      '<nil>: Invalid value: "": "f" must not validate the schema (not)',
    ],
  ],
  [
    { type: 'integer', multipleOf: 3 },
    1.5,
    [
      'f: Invalid value: "number": f in body must be of type integer: "number"',
      'f: Invalid value: 1.5: f in body should be a multiple of 3',
    ],
  ],
  [
    { type: 'string', enum: ['a'], oneOf: either },
    null,
    [
      'f: Invalid value: "null": f in body must be of type string: "null"',
      'f: Unsupported value: "null": supported values: "a"',
    ],
  ],
  [{ type: 'string', maxLength: 1, pattern: '^[a-z]$' }, 'A1', ['f: Too long: may not be more than 1 bytes']],
  [{ type: 'array' }, {}, ['f: Invalid value: "object": f in body must be of type array: "object"']],
  [{ 'x-kubernetes-int-or-string': true }, '50%', []],
  [{ 'x-kubernetes-int-or-string': true }, 5, []],
  [
    { 'x-kubernetes-int-or-string': true },
    true,
    ['f: Invalid value: "boolean": f in body must be of type integer,string: "boolean"'],
  ],
  [{ type: 'string', nullable: true }, null, []],
  [{ type: 'string', enum: ['a', 'b'] }, 'z', ['f: Unsupported value: "z": supported values: "a", "b"']],
  [{ type: 'string', pattern: '^[a-z]+$' }, 'A1', [`f: Invalid value: "A1": f in body should match '^[a-z]+$'`]],
  [{ type: 'string', minLength: 2 }, 'x', ['f: Invalid value: "x": f in body should be at least 2 chars long']],
  [{ type: 'string', maxLength: 2 }, 'xyz', ['f: Too long: may not be more than 2 bytes']],
  [{ type: 'string', maxLength: 2 }, '😀😀', []],
  [{ type: 'integer', minimum: 1 }, 0, ['f: Invalid value: 0: f in body should be greater than or equal to 1']],
  [{ type: 'integer', maximum: 1 }, 2, ['f: Invalid value: 2: f in body should be less than or equal to 1']],
  [
    { type: 'number', minimum: 0, exclusiveMinimum: true },
    0,
    ['f: Invalid value: 0: f in body should be greater than 0'],
  ],
  [{ type: 'number', multipleOf: 0.5 }, 0.7, ['f: Invalid value: 0.7: f in body should be a multiple of 0.5']],
  [{ type: 'number', multipleOf: 0.1 }, 0.3, []],
  [
    { type: 'array', items: { type: 'integer' }, minItems: 1 },
    [],
    ['f: Invalid value: 0: f in body should have at least 1 items'],
  ],
  [{ type: 'array', items: { type: 'integer' }, maxItems: 1 }, [1, 2], ['f: Too many: 2: must have at most 1 items']],
  [
    { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    ['a', 'a'],
    ['f[1]: Duplicate value: "a"'],
  ],
  [
    {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: {
          type: 'array',
          items: { type: 'string', enum: ['a', 'c'] },
          minItems: 1,
          'x-kubernetes-list-type': 'set',
        },
      },
    },
    [{ m: ['c', 'a', 'c', 'c'] }, { k: [] }],
    ['f[1].k: Invalid value: 0: f[1].k in body should have at least 1 items', 'f[0][m][2]: Duplicate value: "c"'],
  ],
  [
    {
      type: 'object',
      properties: {
        a: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
        b: { type: 'boolean' },
      },
    },
    { a: { kind: 'Pod' }, b: 1 },
    [
      'f.b: Invalid value: "integer": f.b in body must be of type boolean: "integer"',
      'f.a.apiVersion: Required value: must not be empty',
    ],
  ],
  [
    { type: 'object', additionalProperties: { type: 'string' }, minProperties: 1 },
    {},
    ['f: Invalid value: 0: f in body should have at least 1 properties'],
  ],
  [{ type: 'object', required: ['q'] }, {}, ['f.q: Required value']],
  [
    { type: 'object', oneOf: either },
    {},
    [
      '<nil>: Invalid value: "": "f" must validate one and only one schema (oneOf). Found none valid',
      'f.x: Required value',
    ],
  ],
  [
    { type: 'object', oneOf: either },
    { x: 1, y: 1 },
    ['<nil>: Invalid value: "": "f" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
  ],
  [{ type: 'object', oneOf: either }, { x: 1 }, []],
  [
    { type: 'object', anyOf: either },
    {},
    ['<nil>: Invalid value: "": "f" must validate at least one schema (anyOf)', 'f.x: Required value'],
  ],
  [
    { type: 'string', not: { enum: ['bad'] } },
    'bad',
    ['<nil>: Invalid value: "": "f" must not validate the schema (not)'],
  ],
  [
    { type: 'object', 'x-kubernetes-embedded-resource': true },
    { apiVersion: 'v1' },
    ['f.kind: Required value: must not be empty'],
  ],
  [{ type: 'string', format: 'ipv4' }, '1.2.3', ['f: Invalid value: "1.2.3": f in body must be of type ipv4: "1.2.3"']],
  [{ type: 'string', format: 'of-our-own' }, 'anything', []],
]

describe('errors of a schema', () => {
  it.each(cases)('%j and %j', (schema, value, expected) => {
    expect(problems(schema, value)).toEqual(expected)
  })
})

describe('an unchanged value', () => {
  const short = { type: 'string', maxLength: 3 }

  it('is accepted although the schema has become stricter', () => {
    const schema = { type: 'object', properties: { a: short, b: { type: 'integer' } } }
    expect(problems(schema, { a: 'long-value', b: 2 }, { a: 'long-value', b: 1 })).toEqual([])
    expect(problems(schema, { a: 'other-long' }, { a: 'long-value' })).toHaveLength(1)
  })

  it('is correlated in a list map by its keys, at any position', () => {
    const items = { type: 'object', properties: { k: { type: 'string' }, v: short }, required: ['k'] }
    const schema = { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] }
    const kept = { k: '1', v: 'too long' }
    expect(problems(schema, [{ k: '2', v: 'ok' }, kept], [kept])).toEqual([])
  })

  it('is not correlated in other lists', () => {
    const schema = { type: 'array', items: short }
    expect(problems(schema, ['too long', 'ok'], ['too long'])).toHaveLength(1)
    expect(problems(schema, ['too long'], ['too long'])).toEqual([])
  })
})

const many = (count: number, value: unknown) => Array.from({ length: count }, () => value)
const texts = Array.from({ length: 20_000 }, (_, index) => `choice-${String(index).padStart(5, '0')}`)
const numbers = { type: 'array', items: { type: 'integer' } }
const tooLong = [expect.stringContaining('it takes too long to hold this object')]

/** Each would take seconds or minutes. */
const hostile: readonly (readonly [string, SchemaNode, unknown, readonly unknown[]])[] = [
  [
    'a thousand alternatives for each of thousands of values',
    { type: 'array', items: { type: 'string', anyOf: [...many(999, { enum: ['never'] }), {}] as SchemaNode[] } },
    many(20_000, 'x'),
    tooLong,
  ],
  [
    'a long text and a large pattern',
    { type: 'string', pattern: '(x{1000}|y{1000}|z)+$' },
    'x'.repeat(100_000),
    tooLong,
  ],
  [
    'the last of many choices, again and again',
    { type: 'array', items: { type: 'string', enum: texts } },
    many(24_000, texts.at(-1)),
    [],
  ],
  [
    'none of many choices, repeatedly',
    { type: 'array', items: { type: 'string', anyOf: [{ enum: texts }, {}] } },
    many(24_000, 'other'),
    tooLong,
  ],
  [
    'a large list that equals none of many large lists',
    { ...numbers, enum: Array.from({ length: 100 }, (_, index) => [...many(200, 1), index]) },
    [...many(20_000, 1)],
    tooLong,
  ],
  [
    'a large list that equals none of a few, in many alternatives',
    { ...numbers, anyOf: [...many(10_000, { enum: [[1]] }), {}] as SchemaNode[] },
    many(20_000, 1_234_567),
    tooLong,
  ],
  [
    'thousands of missing members of thousands of objects',
    { type: 'array', items: { type: 'object', anyOf: [{ required: texts }, {}] } },
    many(24_000, {}),
    tooLong,
  ],
  [
    'many alternatives that count the members of a large object',
    {
      type: 'object',
      additionalProperties: { type: 'integer' },
      anyOf: many(20_000, { minProperties: 50_000 }) as SchemaNode[],
    },
    Object.fromEntries(texts.map((name) => [name, 1])),
    tooLong,
  ],
  [
    'digits that might be a duration, in many alternatives',
    { type: 'string', anyOf: [...many(10_000, { format: 'duration' }), {}] as SchemaNode[] },
    '1'.repeat(4096),
    tooLong,
  ],
  [
    'a long text that is counted in many alternatives',
    { type: 'string', anyOf: many(8_000, { minLength: 2_000_000 }) as SchemaNode[] },
    'x'.repeat(1_500_000),
    tooLong,
  ],
]

describe('hostile schemas', () => {
  it.each(hostile)('end: %s', (_, schema, value, expected) => {
    expect(problems(schema, value)).toEqual(expected)
  })

  it('match an expression that takes other engines exponential time', () => {
    expect(problems({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(5000)}!`)).toHaveLength(1)
  })

  it('refuse every value if a pattern is invalid', () => {
    expect(problems({ type: 'string', pattern: '[' }, 'x')).toEqual([expect.stringContaining("should match '['")])
  })
})

it('errors below a long name do not repeat the whole name each time', () => {
  const structure = compileStructure({
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string', minLength: 5 } },
  })
  const errors = validateValue(structure, { ['k'.repeat(100_000)]: Array.from({ length: 200 }, () => 'a') })
  const { status } = invalid({ kind: 'Foo', group: 'example.com' }, 'x', errors)
  expect(status.details?.causes).toHaveLength(100)
  expect(JSON.stringify(status).length).toBeLessThan(300_000)
})
