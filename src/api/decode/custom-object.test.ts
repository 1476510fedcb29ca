import { describe, expect, it } from 'vitest'
import { body, refusal } from '../../../tests/support/examples/body.ts'
import type { Kind } from '../kind.ts'
import { kindSchema } from '../metadata/kind-schema.ts'
import { boolean, integer, list, object, string, strings, time } from '../schema-builder.ts'
import { decodeObject } from './object.ts'

/** The custom resource of the recorded answers, with a few stricter members. */
const accessKeys: Kind = {
  nameRule: 'dns-subdomain',
  hasGeneration: true,
  allowsUnconditionalUpdate: false,
  allowsCreateOnUpdate: false,
  deleteAnswer: 'status',
  strategy: {},
  group: 'management.example.com',
  version: 'v1',
  kind: 'OwnedAccessKey',
  plural: 'ownedaccesskeys',
  singular: 'ownedaccesskey',
  namespaced: false,
  flavor: 'custom',
  hasStatus: true,
  schema: kindSchema({ group: 'management.example.com', version: 'v1', kind: 'OwnedAccessKey' }, 'A key.', {
    spec: object('What is wanted.', {
      user: string('Whose key it is.'),
      ttl: integer('Seconds.', { minimum: 0, maximum: 1000 }),
      disabled: boolean('Whether it is refused.'),
      type: string('Kind of key.', { enum: ['User', 'Login'], default: 'User' }),
      groups: { ...strings('Groups.'), listType: 'set' },
      scope: object(
        'What it may do.',
        {
          roles: list('Roles.', object('A role.', { role: string('Name.', { minLength: 1, maxLength: 5 }) })),
        },
        { required: ['roles'] },
      ),
    }),
    status: object('What is seen.', { lastActivity: time('When it was used.') }),
  }),
}

const key = (members: object) =>
  JSON.stringify({ apiVersion: 'management.example.com/v1', kind: 'OwnedAccessKey', ...members })

describe('a custom kind', () => {
  it('gives a clean object back without copying it', () => {
    const parsed = body(key({ metadata: { name: 'k' }, spec: { type: 'Login', groups: ['', 'b'], disabled: false } }))
    expect(decodeObject(accessKeys, parsed).object).toBe(parsed.value)
  })

  it('reports duplicates first, then unknown fields, and prunes these', () => {
    const text = `${key({ metadata: { bogusmeta: 1, name: 'kw' } }).slice(0, -1)},"spec":{"bogus":1,"ttl":1,"ttl":2}}`
    const { object, complaints } = decodeObject(accessKeys, body(text))
    expect(complaints).toEqual([
      'duplicate field "spec.ttl"',
      'unknown field "metadata.bogusmeta"',
      'unknown field "spec.bogus"',
    ])
    expect(object).toMatchObject({ metadata: { name: 'kw' }, spec: { ttl: 2 } })
    expect(refusal(accessKeys, text, { strict: true })).toMatchObject({
      code: 400,
      message:
        'OwnedAccessKey in version "v1" cannot be handled as a OwnedAccessKey: strict decoding error: duplicate field "spec.ttl", unknown field "metadata.bogusmeta", unknown field "spec.bogus"',
    })
  })

  it('applies defaults and drops nulls without meaning', () => {
    const { object } = decodeObject(accessKeys, body(key({ spec: { ttl: null, type: null }, status: null })))
    expect(object).toEqual({
      apiVersion: 'management.example.com/v1',
      kind: 'OwnedAccessKey',
      metadata: {},
      spec: { type: 'User' },
    })
  })

  it.each([
    [
      { ttl: 'notint' },
      'spec.ttl',
      'FieldValueTypeInvalid',
      'Invalid value: "string": spec.ttl in body must be of type integer: "string"',
    ],
    [
      { ttl: 1.5 },
      'spec.ttl',
      'FieldValueTypeInvalid',
      'Invalid value: "number": spec.ttl in body must be of type integer: "number"',
    ],
    [
      { groups: ['a', null] },
      'spec.groups[1]',
      'FieldValueTypeInvalid',
      'Invalid value: "null": spec.groups[1] in body must be of type string: "null"',
    ],
    [
      { groups: {} },
      'spec.groups',
      'FieldValueTypeInvalid',
      'Invalid value: "object": spec.groups in body must be of type array: "object"',
    ],
    [{ groups: ['a', 'a'] }, 'spec.groups[1]', 'FieldValueDuplicate', 'Duplicate value: "a"'],
    [{ type: 'x' }, 'spec.type', 'FieldValueNotSupported', 'Unsupported value: "x": supported values: "User", "Login"'],
    [
      { ttl: -1 },
      'spec.ttl',
      'FieldValueInvalid',
      'Invalid value: -1: spec.ttl in body should be greater than or equal to 0',
    ],
    [
      { ttl: 1001 },
      'spec.ttl',
      'FieldValueInvalid',
      'Invalid value: 1001: spec.ttl in body should be less than or equal to 1000',
    ],
    [{ scope: {} }, 'spec.scope.roles', 'FieldValueRequired', 'Required value'],
    [
      { scope: { roles: [{ role: '' }] } },
      'spec.scope.roles[0].role',
      'FieldValueInvalid',
      'Invalid value: "": spec.scope.roles[0].role in body should be at least 1 chars long',
    ],
    [
      { scope: { roles: [{ role: 'abcdef' }] } },
      'spec.scope.roles[0].role',
      'FieldValueTooLong',
      'Too long: may not be more than 5 bytes',
    ],
  ])('refuses %j with 422', (spec, field, reason, message) => {
    expect(refusal(accessKeys, key({ metadata: { name: 'k1' }, spec }))).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: `OwnedAccessKey.management.example.com "k1" is invalid: ${field}: ${message}`,
      details: { name: 'k1', kind: 'OwnedAccessKey', causes: [{ reason, field, message }] },
    })
  })

  it.each([
    [
      '{"metadata": {"name": "x"}}',
      400,
      `the object provided is unrecognized (must be of type OwnedAccessKey): Object 'Kind' is missing in '{"metadata": {"name": "x"}}' ({"metadata": {"name": "x"}})`,
    ],
    [
      '{"apiVersion":"v1","kind":"ConfigMap"}',
      400,
      'the API version in the data (v1) does not match the expected API version (management.example.com/v1)',
    ],
    [
      key({ kind: 'Other', metadata: { name: 'x' } }),
      422,
      'Other.management.example.com "x" is invalid: kind: Invalid value: "Other": must be OwnedAccessKey',
    ],
    [
      key({ metadata: { labels: { a: 1 } } }),
      400,
      'OwnedAccessKey in version "v1" cannot be handled as a OwnedAccessKey: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
    ],
    [
      key({ metadata: 'x' }),
      400,
      'OwnedAccessKey in version "v1" cannot be handled as a OwnedAccessKey: json: cannot unmarshal string into Go value of type v1.ObjectMeta',
    ],
  ])('refuses %s', (text, code, message) => {
    expect(refusal(accessKeys, text)).toMatchObject({ code, message })
  })
})
