import { describe, expect, it } from 'vitest'
import { accessKey, example, garden, service } from '../../../tests/support/examples/kinds.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../api/object.ts'
import { atOnce } from '../../base/steps.ts'
import { compareObjects } from './compare.ts'
import { compareRecorded } from './recorded-fields.ts'
import { trackUpdate } from './track.ts'

interface Case {
  readonly says: string
  readonly kind: Kind
  readonly before: unknown
  readonly after: unknown
  readonly changed: unknown
  readonly removed: unknown
}

const twice = (name: string) => ({ port: 80, name })

const cases: readonly Case[] = [
  {
    says: 'null and nothing are not the same',
    kind: garden,
    before: { beds: null },
    after: { beds: {} },
    changed: { 'f:beds': {} },
    removed: {},
  },
  {
    says: 'a container that was there is not new',
    kind: garden,
    before: { beds: null },
    after: { beds: { a: {} } },
    changed: { 'f:beds': { 'f:a': {} } },
    removed: {},
  },
  {
    says: 'the order of a set does not matter',
    kind: garden,
    before: { colors: ['a', 'b'] },
    after: { colors: ['b', 'a'] },
    changed: {},
    removed: {},
  },
  {
    says: 'an object gave way to a scalar',
    kind: garden,
    before: { anything: { a: { b: 1 } } },
    after: { anything: { a: 5 } },
    changed: { 'f:anything': { 'f:a': {} } },
    removed: { 'f:anything': { 'f:a': { 'f:b': {} } } },
  },
  {
    says: 'a scalar gave way to an object',
    kind: garden,
    before: { anything: { a: 5 } },
    after: { anything: { a: { b: 1 } } },
    changed: { 'f:anything': { 'f:a': { '.': {}, 'f:b': {} } } },
    removed: {},
  },
  {
    says: 'repeated items are compared as one',
    kind: service,
    before: { spec: { ports: [twice('a'), twice('b')] } },
    after: { spec: { ports: [twice('a'), twice('c')] } },
    changed: { 'f:spec': { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': {} } } },
    removed: {},
  },
  {
    says: 'repeated items that stay the same',
    kind: service,
    before: { spec: { ports: [twice('a'), twice('b')] } },
    after: { spec: { ports: [twice('a'), twice('b')] } },
    changed: {},
    removed: {},
  },
  {
    says: 'one of repeated items is left',
    kind: service,
    before: { spec: { ports: [twice('a'), twice('b')] } },
    after: { spec: { ports: [twice('a')] } },
    changed: { 'f:spec': { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:name': {}, 'f:port': {} } } } },
    removed: { 'f:spec': { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': {} } } },
  },
  {
    says: 'names that objects inherit are members like any other',
    kind: garden,
    before: { beds: {} },
    after: { beds: JSON.parse('{"__proto__": {"plant": "rose"}, "constructor": {}}') },
    changed: { 'f:beds': { 'f:__proto__': { '.': {}, 'f:plant': {} }, 'f:constructor': {} } },
    removed: {},
  },
]

describe('compareObjects', () => {
  it.each(cases)('$says', ({ kind, before, after, changed, removed }) => {
    expect(compareObjects(kind.schema, before, after)).toEqual({ changed, removed })
  })
})

describe('compareRecorded', () => {
  it('does not count empty strings and nulls of a builtin kind as set', () => {
    const event = example(
      { group: '', kind: 'Event', flavor: 'builtin' },
      { reportingComponent: { type: 'string' }, eventTime: { type: 'string' }, message: { type: 'string' } },
    )
    const sent = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'x' },
      reportingComponent: '',
      eventTime: null,
      message: 'm',
    }
    expect(atOnce(compareRecorded({ kind: event, subresource: '' }, undefined, sent)).changed).toEqual({
      'f:message': {},
    })
  })
})

describe('a custom kind whose schema has changed', () => {
  it('leaves a field with the owner of its former parent', () => {
    const entry: ManagedFieldsEntry = {
      manager: 'old',
      operation: 'Update',
      apiVersion: 'management.example.com/v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:groups': { '.': {}, 'v:"a"': {} }, 'f:user': {} } },
    }
    const before: KubeObject = {
      apiVersion: 'management.example.com/v1',
      kind: 'OwnedAccessKey',
      metadata: { name: 'x', uid: 'u', managedFields: [entry] },
      spec: { groups: ['a'], user: 'u' },
    }
    const after = { ...before, metadata: { name: 'x', uid: 'u' }, spec: { groups: ['b'], user: 'u' } }
    const written = trackUpdate({ kind: accessKey, before, after, manager: 'new', subresource: '', nowMs: 0 })
    expect(written.metadata.managedFields?.map(({ manager, fieldsV1 }) => [manager, fieldsV1])).toEqual([
      ['new', { 'f:spec': { 'f:groups': {} } }],
      ['old', { 'f:spec': { 'f:user': {} } }],
    ])
  })
})
