import { describe, expect, it } from 'vitest'
import type { FieldError } from '../field-error.ts'
import type { ObjectMeta } from '../object.ts'
import { type MetadataRules, validateMetadata, validateMetadataUpdate } from './validate.ts'

const keys: MetadataRules = { namespaced: false, nameRule: 'dns-subdomain', flavor: 'custom', kind: 'Key' }
const configMaps: MetadataRules = { namespaced: true, nameRule: 'dns-subdomain', flavor: 'builtin', kind: 'ConfigMap' }
const roles: MetadataRules = { namespaced: false, nameRule: 'path-segment', flavor: 'builtin', kind: 'Role' }

describe('metadata of a new object', () => {
  const valid: readonly (readonly [string, MetadataRules, ObjectMeta])[] = [
    ['a bare name', keys, { name: 'k1' }],
    ['a name of RBAC', roles, { name: 'system:node' }],
    ['a generated name', keys, { name: 'gen-x2x4z', generateName: 'gen-' }],
    [
      'everything at once',
      configMaps,
      {
        name: 'c1',
        namespace: 'default',
        generation: 1,
        labels: { app: 'x', 'example.com/tier': '', constructor: 'Object' },
        annotations: { 'Example.COM/Note': 'any text, really' },
        finalizers: ['example.com/cleanup', 'orphan', 'kubernetes'],
        ownerReferences: [
          { apiVersion: 'v1', kind: 'A', name: 'a', uid: '1', controller: true },
          { apiVersion: 'apps/v1', kind: 'B', name: 'b', uid: '2', controller: false },
        ],
        managedFields: [{ manager: 'kubectl', operation: 'Apply', fieldsType: 'FieldsV1', fieldsV1: {} }],
      },
    ],
  ]
  it.each(valid)('%s is fine', (_, kind, metadata) => {
    expect(validateMetadata(kind, metadata)).toEqual([])
  })

  const owner = { apiVersion: 'v1', kind: 'A', name: 'a', uid: '1' }
  const invalid: readonly (readonly [string, MetadataRules, ObjectMeta, readonly string[]])[] = [
    ['no name', keys, {}, ['metadata.name: Required value: name or generateName is required']],
    [
      'a bad prefix and no namespace',
      configMaps,
      { name: 'x', generateName: '-' },
      ['metadata.generateName: Invalid value: "-": a lowercase RFC 1123 …', 'metadata.namespace: Required value'],
    ],
    [
      'a namespace that is not a DNS label',
      configMaps,
      { name: 'x', namespace: 'a.b' },
      ['metadata.namespace: Invalid value: "a.b": must not contain dots'],
    ],
    [
      'a namespace on a cluster-scoped kind',
      keys,
      { name: 'x', namespace: 'a' },
      ['metadata.namespace: Forbidden: not allowed on this type'],
    ],
    [
      'a negative generation',
      keys,
      { name: 'x', generation: -1 },
      ['metadata.generation: Invalid value: -1: must be greater than or equal to 0'],
    ],
    ['a slash in a name', roles, { name: 'a/b' }, [`metadata.name: Invalid value: "a/b": may not contain '/'`]],
    ['a bad label key', keys, { name: 'x', labels: { 'a b': 'c' } }, ['metadata.labels: Invalid value: "a b": name …']],
    [
      'a bad label value',
      keys,
      { name: 'x', labels: { a: 'c d' } },
      ['metadata.labels: Invalid value: "c d": a valid …'],
    ],
    [
      'a bad annotation key',
      keys,
      { name: 'x', annotations: { 'a b': 'c' } },
      ['metadata.annotations: Invalid value: "a b": name …'],
    ],
    [
      'too much in annotations',
      keys,
      { name: 'x', annotations: { a: 'é'.repeat(131_072) } },
      ['metadata.annotations: Too long: may not be more than 262144 bytes'],
    ],
    [
      'an empty owner',
      keys,
      { name: 'x', ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }] },
      [
        'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
        'metadata.ownerReferences.kind: Invalid value: "": kind must not be empty',
        'metadata.ownerReferences.name: Invalid value: "": name must not be empty',
        'metadata.ownerReferences.uid: Invalid value: "": uid must not be empty',
      ],
    ],
    [
      'an owner with too long an apiVersion',
      keys,
      { name: 'x', ownerReferences: [{ ...owner, apiVersion: 'a/b/c' }] },
      ['metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty'],
    ],
    [
      'an event as owner',
      keys,
      { name: 'x', ownerReferences: [{ ...owner, kind: 'Event' }] },
      [
        'metadata.ownerReferences: Invalid value: v1.OwnerReference{APIVersion:"v1", Kind:"Event", Name:"a", UID:"1", Controller:(*bool)(nil), BlockOwnerDeletion:(*bool)(nil)}: /v1, Kind=Event is disallowed from being an owner',
      ],
    ],
    [
      'two controllers',
      keys,
      {
        name: 'x',
        ownerReferences: [
          { ...owner, controller: true },
          { apiVersion: 'v1', kind: 'B', name: 'b', uid: '2', controller: true },
        ],
      },
      [
        'metadata.ownerReferences: Invalid value: []v1.OwnerReference{v1.OwnerReference{APIVersion:"v1", Kind:"A", Name:"a", UID:"1", Controller:(*bool)(true), BlockOwnerDeletion:(*bool)(nil)}, v1.OwnerReference{APIVersion:"v1", Kind:"B", Name:"b", UID:"2", Controller:(*bool)(true), BlockOwnerDeletion:(*bool)(nil)}}: Only one reference can have Controller set to true. Found "true" in references for A/a and B/b',
      ],
    ],
    [
      'finalizers that exclude each other',
      keys,
      { name: 'x', finalizers: ['foregroundDeletion', 'orphan'] },
      [
        'metadata.finalizers: Invalid value: []string{"foregroundDeletion", "orphan"}: finalizer orphan and foregroundDeletion cannot be both set',
      ],
    ],
    [
      'a finalizer without a domain on a builtin kind',
      configMaps,
      { name: 'x', namespace: 'n', finalizers: ['example.com/a', 'noslash'] },
      [
        'metadata.finalizers[1]: Invalid value: "noslash": name is neither a standard finalizer name nor is it fully qualified',
      ],
    ],
    [
      'a bad finalizer',
      keys,
      { name: 'x', finalizers: ['a b'] },
      ['metadata.finalizers: Invalid value: "a b": name …'],
    ],
    [
      'broken managedFields',
      keys,
      { name: 'x', managedFields: [{ manager: 'm'.repeat(129), subresource: 's'.repeat(257) }] },
      [
        'metadata.managedFields[0].operation: Invalid value: "": must be `Apply` or `Update`',
        'metadata.managedFields[0].manager: Too long: may not be more than 128 bytes',
        'metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes',
      ],
    ],
    [
      'a manager that cannot be printed',
      keys,
      { name: 'x', managedFields: [{ operation: 'Update', manager: 'é\nb' }] },
      ['metadata.managedFields[0].manager: Invalid value: "é\\nb": invalid character U+000A (at position 2)'],
    ],
  ]
  it.each(invalid)('%s is refused', (_, kind, metadata, texts) => {
    expectTexts(validateMetadata(kind, metadata), texts)
  })

  it('a custom kind takes a finalizer without a domain', () => {
    expect(validateMetadata(keys, { name: 'x', finalizers: ['noslash'] })).toEqual([])
  })

  it('thousands of bad labels are not reported one by one', () => {
    const labels = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`bad key ${index}`, '']))
    expect(validateMetadata(keys, { name: 'x', labels }).length).toBeLessThan(110)
  })
})

describe('metadata of a changed object', () => {
  const old: ObjectMeta = {
    name: 'k1',
    uid: 'u1',
    resourceVersion: '5',
    generation: 2,
    creationTimestamp: '2026-01-01T00:00:00Z',
  }
  const deleting: ObjectMeta = {
    ...old,
    finalizers: ['example.com/a', 'example.com/b'],
    deletionTimestamp: '2026-02-01T00:00:00Z',
    deletionGracePeriodSeconds: 0,
  }

  const valid: readonly (readonly [string, ObjectMeta, ObjectMeta])[] = [
    ['nothing changed', old, old],
    ['labels changed', { ...old, labels: { a: 'b' } }, old],
    ['the same moment written otherwise', { ...old, creationTimestamp: '2026-01-01T01:00:00+01:00' }, old],
    ['a finalizer is removed while deleting', { ...deleting, finalizers: ['example.com/b'] }, deleting],
  ]
  it.each(valid)('%s: fine', (_, metadata, before) => {
    expect(changeErrors(keys, metadata, before)).toEqual([])
  })

  const uid = 'metadata.uid: Invalid value: "zz": field is immutable'
  const time = 'metadata.deletionTimestamp: Invalid value: 2001-01-01 00:00:00 +0000 UTC: field is immutable'
  const grace = 'metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable'
  const added =
    'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/c"}'
  const invalid: readonly (readonly [string, ObjectMeta, ObjectMeta, readonly string[]])[] = [
    ['another uid', { ...old, uid: 'zz' }, old, [uid, uid]],
    [
      'deletion set by a client',
      { ...old, deletionTimestamp: '2001-01-01T00:00:00Z', deletionGracePeriodSeconds: 5 },
      old,
      [time, grace, time, grace],
    ],
    [
      'a finalizer added while deleting',
      { ...deleting, finalizers: ['example.com/a', 'example.com/c'] },
      deleting,
      [added, added],
    ],
    [
      'a grace period taken back',
      { ...old, deletionTimestamp: '2026-02-01T00:00:00Z', finalizers: ['example.com/a'] },
      deleting,
      Array.from({ length: 2 }, () => 'metadata.deletionGracePeriodSeconds: Invalid value: "null": field is immutable'),
    ],
    [
      'another name',
      { ...old, name: 'k2' },
      old,
      Array.from({ length: 2 }, () => 'metadata.name: Invalid value: "k2": field is immutable'),
    ],
    [
      'an older generation',
      { ...old, generation: 1 },
      old,
      Array.from({ length: 2 }, () => 'metadata.generation: Invalid value: 1: must not be decremented'),
    ],
  ]
  it.each(invalid)('%s: refused, twice in causes', (_, metadata, before, texts) => {
    expectTexts(changeErrors(keys, metadata, before), texts)
  })

  it('a bad label is found three times on a custom kind and four times on a builtin one', () => {
    const bad = { labels: { 'a b': '' } }
    const before = { ...old, namespace: 'n' }
    expect(changeErrors(keys, { ...old, ...bad }, old)).toHaveLength(3)
    expect(changeErrors(configMaps, { ...before, ...bad }, before)).toHaveLength(4)
  })

  it('builtin kinds insist on qualified finalizers on every change', () => {
    const before = { ...old, namespace: 'n' }
    const errors = changeErrors(configMaps, { ...before, finalizers: ['noslash'] }, before)
    expect(new Set(errors.map((each) => each.field))).toEqual(new Set(['metadata.finalizers[0]']))
  })

  it('a name that was fine under older rules does not block a change', () => {
    const before = { ...old, name: 'Old_Name' }
    expect(changeErrors(keys, { ...before, labels: { a: 'b' } }, before)).toEqual([])
  })
})

/** In the order in which the kind is checked. */
function changeErrors(kind: MetadataRules, metadata: ObjectMeta, old: ObjectMeta): readonly FieldError[] {
  const { general, change, own } = validateMetadataUpdate(kind, metadata, old)
  return [...general, ...change, ...(kind.flavor === 'custom' ? [] : own)]
}

/** An expectation that ends with an ellipsis is a prefix. */
function expectTexts(errors: readonly FieldError[], texts: readonly string[]): void {
  const printed = errors.map(({ field, message }) => `${field}: ${message}`)
  expect(printed.map((text, index) => shortened(text, texts[index] ?? ''))).toEqual(texts)
}

function shortened(text: string, like: string): string {
  return like.endsWith('…') ? `${text.slice(0, like.length - 1)}…` : text
}
