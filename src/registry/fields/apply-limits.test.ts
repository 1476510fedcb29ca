import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accessKey, configMap, garden, service } from '../../../tests/support/examples/kinds.ts'
import { defined, identified, Story, start } from '../../../tests/support/examples/story.ts'
import type { Kind } from '../../api/kind.ts'
import { applyConfiguration } from './apply.ts'
import { equalIgnoringManagedFieldsTimes } from './equal.ts'

describe('a configuration that cannot be applied', () => {
  it.each<[string, Kind, Record<string, unknown>, string]>([
    [
      'an unknown field',
      accessKey,
      { spec: { bogus: 1 } },
      'failed to create typed patch object (/x; management.example.com/v1, Kind=OwnedAccessKey): .spec.bogus: field not declared in schema',
    ],
    [
      'a repeated key',
      service,
      { spec: { ports: [{ port: 80 }, { port: 80, protocol: 'TCP' }] } },
      'failed to create typed patch object (/x; /v1, Kind=Service): .spec.ports: duplicate entries for key [port=80,protocol="TCP"]',
    ],
    [
      'a repeated item of a set',
      garden,
      { colors: ['a', 'a'] },
      'failed to create typed patch object (/x; example.com/v1, Kind=Garden): .colors: duplicate entries for key [="a"]',
    ],
    [
      'a text for a number',
      accessKey,
      { spec: { ttl: 'x' } },
      'failed to create typed patch object (/x; management.example.com/v1, Kind=OwnedAccessKey): .spec.ttl: expected numeric (int or float), got string',
    ],
    [
      'several problems',
      accessKey,
      { spec: { ttl: 'x', user: 5 } },
      'failed to create typed patch object (/x; management.example.com/v1, Kind=OwnedAccessKey): errors:\n  .spec.ttl: expected numeric (int or float), got string\n  .spec.user: expected string, got &value.valueUnstructured{Value:5}',
    ],
    ['managedFields', accessKey, { metadata: { managedFields: [] } }, 'metadata.managedFields must be nil'],
    [
      'another version',
      accessKey,
      { apiVersion: 'management.example.com/v2' },
      'invalid object type: management.example.com/v2, Kind=OwnedAccessKey',
    ],
    ['no type', accessKey, { apiVersion: undefined, kind: undefined }, 'invalid object type: /, Kind='],
  ])('%s is a 400', (_, kind, members, message) => {
    const story = new Story(kind)
    const refusal = story.refusal(() => story.apply('m1', members))
    expect([refusal.code, refusal.message]).toEqual([400, message])
  })
})

describe('a configuration with few fields', () => {
  it.each([[null], [undefined]])('may have %j for metadata', (metadata) => {
    const base = { kind: configMap, manager: 'm1', force: false, subresource: '', nowMs: start }
    const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata as never, data: { a: '1' } }
    const created = applyConfiguration({ ...base, live: undefined, config })
    expect(created.data).toEqual({ a: '1' })
    const live = identified({ ...created, metadata: { ...created.metadata, name: 'x' } })
    expect(applyConfiguration({ ...base, live, config }).metadata.name).toBe('x')
  })
})

describe('conflicts below a long name', () => {
  it('are reported without repeating the whole name each time', () => {
    const below = (value: number) => ({
      anything: {
        ['k'.repeat(20_000)]: Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`a${at}`, value])),
      },
    })
    const story = new Story(garden).apply('m1', below(1))
    const { status } = story.refusal(() => story.apply('m2', below(2)))
    expect(status.details?.causes).toHaveLength(1_000)
    expect(JSON.stringify(status).length).toBeLessThan(1_000_000)
  })
})

describe('values as deep as a body may be', () => {
  it('are compared, merged and pruned', () => {
    const deep = (leaf: unknown) => {
      let value = leaf
      for (let depth = 0; depth < 990; depth += 1) value = { a: value }
      return { anything: value as Record<string, unknown> }
    }
    const story = new Story(garden).update('editor', deep(1)).apply('m1', deep(2), { force: true }).apply('m1', {})
    expect(Object.keys(story.owners)).toEqual(['editor Update'])
  })
})

describe('whatever is applied', () => {
  /** As in kube-apiserver, an empty list with its own item schema has no owner. */
  const colors = fc.uniqueArray(fc.constantFrom('red', 'green', 'blue'), { minLength: 1 })
  const beds = fc.dictionary(
    fc.constantFrom('south', 'north', '__proto__'),
    fc.record({ plant: fc.constantFrom('rose', 'fern'), rows: fc.integer({ min: 0, max: 2 }) }, { requiredKeys: [] }),
    { noNullPrototype: true },
  )
  const anything = fc.dictionary(fc.constantFrom('a', 'b', 'constructor'), fc.jsonValue({ maxDepth: 2 }), {
    noNullPrototype: true,
  })
  const config = fc.record({ colors, beds, anything }, { requiredKeys: [] })
  const step = fc.record({ manager: fc.constantFrom('m1', 'm2', 'm3'), config })

  it('applying a configuration again changes nothing', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), (steps) => {
        const story = new Story(garden)
        for (const { manager, config: applied } of steps) story.apply(manager, applied, { force: true })
        const before = story.object
        const last = steps.at(-1)
        story.apply(last?.manager ?? '', last?.config ?? {})
        expect(equalIgnoringManagedFieldsTimes(defined(story.object), defined(before))).toBe(true)
      }),
      { numRuns: 50 },
    )
  })

  it('the object has the last applied values, and is empty when every manager has dropped its fields', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), (steps) => {
        const story = new Story(garden)
        for (const { manager, config: applied } of steps) story.apply(manager, applied, { force: true })
        expect(story.members.colors ?? []).toEqual(expect.arrayContaining(steps.at(-1)?.config.colors ?? []))
        for (const manager of ['m1', 'm2', 'm3']) story.apply(manager, {})
        expect(story.owners).toEqual({})
      }),
      { numRuns: 50 },
    )
  })
})

describe('an object that 199 managers share', () => {
  const dataOf = (managers: readonly number[], value: string) =>
    Object.fromEntries(
      managers.flatMap((manager) => Array.from({ length: 100 }, (_, at) => [`k${manager}-${at}`, value])),
    )
  const all = Array.from({ length: 199 }, (_, manager) => manager)
  const live = identified({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'x',
      managedFields: all.map((manager) => ({
        manager: `m${manager}`,
        operation: 'Apply',
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': Object.fromEntries(Object.keys(dataOf([manager], '')).map((name) => [`f:${name}`, {}])) },
      })),
    },
    data: dataOf(all, 'v'),
  })

  it.each([
    ['a little', dataOf([7], 'w')],
    ['everything', dataOf(all, 'w')],
  ])('can have %s of its fields changed', (_what, data) => {
    const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data }
    const input = { kind: configMap, manager: 'm7', force: true, subresource: '', nowMs: start }
    const applied = applyConfiguration({ ...input, live, config })
    expect(Object.values(applied.data ?? {}).filter((value) => value === 'w')).toHaveLength(Object.keys(data).length)
    expect(applied.metadata.managedFields).toHaveLength(Object.keys(data).length === 100 ? 199 : 1)
  })
})
