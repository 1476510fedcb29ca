import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pod as pods } from '../core/pods/pod.ts'
import { secret as secrets } from '../core/secret.ts'
import { service as services } from '../core/services/service.ts'
import { ApiError } from '../error.ts'
import { ownedAccessKeyKind } from '../management/owned-access-key.ts'
import { parseBody, parsePatchBody } from './body.ts'
import { decodeObject } from './object.ts'

const accessKeys = ownedAccessKeyKind('example.com')

const bytes = (text: string) => new TextEncoder().encode(text)

const unrecognized = 'the object provided is unrecognized (must be of type OwnedAccessKey): '

describe('a body that cannot be read', () => {
  it.each([
    [
      '{bad',
      "couldn't get version/kind; json parse error: invalid character 'b' looking for beginning of object key string ({bad)",
    ],
    ['', "couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)"],
    ['x', "couldn't get version/kind; json parse error: invalid character 'x' looking for beginning of value (78)"],
    [
      `{"${'a'.repeat(40)}`,
      `couldn't get version/kind; json parse error: unexpected end of JSON input ({"${'a'.repeat(28)} ...)`,
    ],
  ])('%s is refused and quoted', (text, message) => {
    expect(() => parseBody(bytes(text), 'json', accessKeys)).toThrow(unrecognized + message)
  })

  it.each([
    [
      'json' as const,
      '{"op":"add"}',
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    ],
    [
      'merge' as const,
      '[1]',
      'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
    ['strategic' as const, '{', /^unexpected end of JSON input$/],
    ['strategic' as const, '[]', /^json: cannot unmarshal array into Go value of type map\[string\]interface {}$/],
    [
      'apply' as const,
      'a: [b',
      "error decoding YAML: error converting YAML to JSON: yaml: line 1: did not find expected ',' or ']'",
    ],
  ])('a %s patch %s is refused', (type, text, message) => {
    expect(() => parsePatchBody(bytes(text), type)).toThrow(message)
  })

  it('is refused when it is not UTF-8', () => {
    expect(() => parseBody(Uint8Array.of(0x22, 0xff, 0x22), 'json', accessKeys)).toThrow(ApiError)
  })
})

describe('a repeated member of a built-in kind', () => {
  it.each([
    ['an object adds', '{"spec":{"a":1,"b":{"c":1}},"spec":{"b":{"d":2}}}', { spec: { a: 1, b: { c: 1, d: 2 } } }],
    ['a list', '{"l":[{"a":1},{"b":1}],"l":[{"c":1}]}', { l: [{ a: 1, c: 1 }] }],
    ['a longer list', '{"l":[{"a":1}],"l":[{"a":2},{"b":1}]}', { l: [{ a: 2 }, { b: 1 }] }],
    ['a scalar', '{"a":1,"a":2}', { a: 2 }],
    ['three times', '{"a":{"b":1},"a":null,"a":{"c":1}}', { a: { c: 1 } }],
  ])('is merged as Go merges it: %s', (_what, text, value) => {
    expect(parseBody(bytes(text), 'json', pods).value).toEqual(value)
  })

  it('replaces the former one in a custom kind', () => {
    expect(parseBody(bytes('{"spec":{"a":1},"spec":{"b":2}}'), 'json', accessKeys).value).toEqual({ spec: { b: 2 } })
  })
})

describe('any body', () => {
  const keys = fc.constantFrom(
    'metadata',
    'spec',
    'status',
    'data',
    'ports',
    'containers',
    'name',
    'labels',
    'ttl',
    'groups',
    '__proto__',
    'constructor',
    'apiVersion',
    'kind',
    'scope',
    'roles',
    'targetPort',
    'resources',
    'limits',
  )
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.string(),
      fc.double(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('value'), { maxLength: 3 }),
    object: fc.dictionary(keys, tie('value'), { maxKeys: 5 }),
  }))

  it.each([accessKeys, pods, secrets, services])(
    'of $kind is an object of it or a refusal, and decoding it twice changes nothing',
    (kind) => {
      const typeMeta = { apiVersion: kind.group === '' ? 'v1' : `${kind.group}/v1`, kind: kind.kind }
      fc.assert(
        fc.property(fc.dictionary(keys, value, { maxKeys: 5 }), (members) => {
          const text = JSON.stringify({ ...members, ...typeMeta })
          try {
            const { object } = decodeObject(kind, parseBody(bytes(text), 'json', kind))
            const again = decodeObject(kind, { value: object, duplicateFields: [], text: '' })
            expect(again.complaints).toEqual([])
            expect(again.object).toBe(object)
          } catch (error) {
            if (!(error instanceof ApiError)) throw error
          }
        }),
        { numRuns: 300 },
      )
    },
  )
})
