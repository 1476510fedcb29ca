import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Kind } from '../kind.ts'
import type { KubeObject } from '../object.ts'
import { exactName, parseFieldSelector } from './field-selector.ts'
import { parseFieldTerms, printFieldTerms } from './field-terms.ts'

type Fields = Pick<Kind, 'kind' | 'flavor' | 'namespaced' | 'selectableFields'>

const configMaps: Fields = { kind: 'ConfigMap', flavor: 'builtin', namespaced: true }
const clusterRoles: Fields = { kind: 'ClusterRole', flavor: 'builtin', namespaced: false }
const secrets: Fields = {
  kind: 'Secret',
  flavor: 'builtin',
  namespaced: true,
  selectableFields: { type: (object) => String(object.type ?? '') },
}
const jobs: Fields = { ...secrets, kind: 'Job' }
const namespaces: Fields = {
  kind: 'Namespace',
  flavor: 'builtin',
  namespaced: false,
  selectableFields: { 'status.phase': () => 'Active' },
}
const keys: Fields = { kind: 'OwnedAccessKey', flavor: 'custom', namespaced: false }

const secret: KubeObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's1', namespace: 'default' },
  type: 'a,b=c\\',
}

describe('field selectors select', () => {
  const cases: readonly (readonly [string, boolean])[] = [
    ['', true],
    [',', true],
    ['metadata.name=s1', true],
    ['metadata.name==s1', true],
    ['metadata.name!=s1', false],
    ['metadata.name=s1,metadata.namespace=other', false],
    ['metadata.namespace=default,metadata.name=s1', true],
    ['type=a\\,b\\=c\\\\', true],
    ['type!=', true],
  ]
  it.each(cases)('%j', (text, expected) => {
    expect(parseFieldSelector(secrets, text).matches(secret)).toBe(expected)
  })

  it('by one name only, which the caller may look up directly', () => {
    expect(parseFieldSelector(secrets, 'type=x,metadata.name=s1').name).toBe('s1')
    expect(parseFieldSelector(secrets, 'metadata.name!=s1').name).toBeUndefined()
  })
})

describe('unsupported field selectors are refused as in Kubernetes', () => {
  const cases: readonly (readonly [string, Fields, string, string])[] = [
    [
      'an unknown field of a builtin kind',
      configMaps,
      'data.a=b',
      '"data.a" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    ['an unknown field of a builtin kind with fields', secrets, 'data.a=b', 'field label not supported: data.a'],
    ['an unknown field of jobs', jobs, 'spec.host=x', 'field label "spec.host" not supported for Job'],
    ['an unknown field of a custom kind', keys, 'spec.user=b', 'field label not supported: spec.user'],
    ['the first of several, sorted', keys, 'z=1,b=2', 'field label not supported: b'],
    ['an inherited member', secrets, 'constructor=x', 'field label not supported: constructor'],
    [
      'the namespace of a namespace',
      namespaces,
      'metadata.namespace=x',
      'field label not supported: metadata.namespace',
    ],
    ['no operator', keys, 'metadata.name', "invalid selector: 'metadata.name'; can't understand 'metadata.name'"],
    ['an unknown escape', keys, 'metadata.name=a\\b', 'invalid field selector: invalid escape sequence: \\b'],
    ['an escape at the end', keys, 'metadata.name=a\\', 'invalid field selector: invalid escape sequence: \\'],
    ['an equals sign too many', keys, 'metadata.name=a=b', 'invalid field selector: unescaped character in value: 61'],
  ]
  it.each(cases)('%s', (_, kind, text, message) => {
    expect(() => parseFieldSelector(kind, text)).toThrow(
      expect.objectContaining({ status: expect.objectContaining({ code: 400, reason: 'BadRequest', message }) }),
    )
  })

  it('but kinds without selectable fields accept metadata.namespace', () => {
    expect(parseFieldSelector(clusterRoles, 'metadata.namespace=').matches(secret)).toBe(false)
  })
})

describe('the name that a collection request is about', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['', ''],
    ['metadata.name=a', 'a'],
    ['metadata.name==a,spec.x=y', 'a'],
    ['spec.x=y', ''],
    ['metadata.name!=a', ''],
    ['metadata.name=a/b', ''],
    ['metadata.name=..', ''],
    ['metadata.name=a,broken', ''],
  ]
  it.each(cases)('%j is %j', (text, name) => {
    expect(exactName(text)).toBe(name)
  })
})

it('field selectors printed and parsed again are the same', () => {
  const term = fc.record({
    field: fc.constantFrom('a', 'b.c'),
    equal: fc.boolean(),
    value: fc.string({ unit: fc.constantFrom('x', ',', '=', '\\', '!', 'é') }),
  })
  fc.assert(
    fc.property(fc.array(term), (terms) => {
      const parsed = parseFieldTerms(printFieldTerms(terms))
      expect(parsed).toHaveLength(terms.length)
      expect(parsed).toEqual(expect.arrayContaining(terms))
    }),
  )
})
