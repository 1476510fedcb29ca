import { describe, expect, it } from 'vitest'
import type { KubeObject, ObjectMeta } from '../../api/object.ts'
import type { ObjectFields, SyncKind } from '../contract.ts'
import { configMapsSync } from '../kinds/config-maps.ts'
import { customResourceSync } from '../kinds/generic.ts'
import { secretsSync } from '../kinds/secrets.ts'
import { servicesSync } from '../kinds/services.ts'
import { isImport } from '../names/import-marks.ts'
import { fieldsOf } from '../plan/fields.ts'
import type { ImportRules } from './contract.ts'
import { planImport } from './plan.ts'

const rules: ImportRules = {
  kind: configMapsSync,
  cause: 'mapping',
  patch: async (object) => ({ state: 'applied', object, references: [], counters: [] }),
}
const place = { namespace: 'default', name: 'bundle' }
const source: KubeObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    namespace: 'shared',
    name: 'ca',
    uid: 'h',
    resourceVersion: '1',
    labels: { a: '1', 'tenant.internal/x': 'y' },
  },
  data: { ca: 'one' },
}

async function imported(from = source, by = rules): Promise<KubeObject> {
  const plan = await planImport(from, undefined, place, by)
  if (plan.action !== 'create') throw new Error(`expected a create, got ${plan.action}`)
  return { ...plan.virtual, metadata: { ...plan.virtual.metadata, uid: 'v', resourceVersion: '7' } }
}

function withEdit(before: ObjectMeta, { labels, annotations }: ObjectMeta = {}): ObjectMeta {
  return {
    ...before,
    labels: { ...before.labels, ...labels },
    annotations: { ...before.annotations, ...annotations },
  }
}

describe('an import', () => {
  it('is the complete object under its new name, with its origin', async () => {
    expect(await imported()).toMatchObject({
      metadata: {
        namespace: 'default',
        name: 'bundle',
        labels: { a: '1', 'tenant.internal/imported': 'mapping' },
        annotations: { 'tenant.internal/imported-from': 'shared/ca' },
      },
      data: { ca: 'one' },
    })
    expect((await imported()).metadata.labels).not.toHaveProperty(['tenant.internal/x'])
  })

  it('in step needs nothing', async () => {
    expect(await planImport(source, await imported(), place, rules)).toEqual({ action: 'nothing' })
  })

  it.each<[string, Partial<KubeObject>]>([
    ['its data was edited', { data: { ca: 'forged' } }],
    ['a label was added', { metadata: { labels: { more: '1' } } }],
    ['its last-sync note was removed', { metadata: { annotations: { 'tenant.internal/last-sync': '{}' } } }],
  ])('is corrected when %s', async (_story, { metadata, ...fields }) => {
    const made = await imported()
    const there = { ...made, ...fields, metadata: withEdit(made.metadata, metadata) }
    expect(await planImport(source, there, place, rules)).toMatchObject({
      action: 'update',
      virtual: { data: { ca: 'one' }, metadata: { labels: { a: '1', 'tenant.internal/imported': 'mapping' } } },
    })
  })

  it.each<[string, SyncKind, ObjectFields, ObjectFields]>([
    ['all of its data', configMapsSync, { data: { a: '1' }, binaryData: { b: 'AA==' } }, { binaryData: { b: 'AA==' } }],
    ['one of its values', configMapsSync, { data: { a: '1', b: '2' } }, { data: { b: '2' } }],
    ['its binary data', configMapsSync, { data: { a: '1' }, binaryData: { b: 'AA==' } }, { data: { a: '1' } }],
    ['the last value of a Secret', secretsSync, { type: 'Opaque', data: { a: 'MQ==' } }, { type: 'Opaque' }],
    ['a field', customResourceSync('issuers.example.com'), { spec: { a: 1, b: 2 } }, { spec: { a: 1 } }],
    ['a whole part', customResourceSync('issuers.example.com'), { spec: { a: 1 }, more: 2 }, { spec: { a: 1 } }],
  ])('loses what its source has lost: %s', async (_what, kind, before, after) => {
    const byKind = { ...rules, kind }
    const { data: _, ...bare } = source
    const there = await imported({ ...bare, ...before }, byKind)
    const plan = await planImport({ ...bare, ...after }, there, place, byKind)
    if (plan.action !== 'update') throw new Error(`expected an update, got ${plan.action}`)
    expect(JSON.parse(JSON.stringify(fieldsOf(plan.virtual)))).toEqual(after)
    expect(await planImport({ ...bare, ...after }, plan.virtual, place, byKind)).toEqual({ action: 'nothing' })
  })

  it('keeps what the server of the virtual cluster has filled in', async () => {
    const byKind = { ...rules, kind: customResourceSync('issuers.example.com') }
    const { data: _, ...bare } = source
    const issuer = { ...bare, spec: { a: 1 } }
    const there = { ...(await imported(issuer, byKind)), spec: { a: 1, filledIn: true }, status: { ready: true } }
    expect(await planImport(issuer, there, place, byKind)).toEqual({ action: 'nothing' })
  })

  it('is replaced when its source was recreated', async () => {
    const there = await imported()
    const again = { ...source, metadata: { ...source.metadata, uid: 'other' } }
    expect(await planImport(again, there, place, rules)).toEqual({ action: 'delete', virtual: there })
  })

  it.each<[string, SyncKind, ObjectFields, ObjectFields]>([
    [
      'the token of an account that does not exist here',
      secretsSync,
      { type: 'kubernetes.io/service-account-token', data: { token: 'MQ==' } },
      { type: 'Opaque', data: { token: 'MQ==' } },
    ],
    [
      'the addresses of a Service',
      servicesSync,
      { spec: { clusterIP: '10.0.0.1', selector: { a: 'b' }, ports: [{ port: 80, nodePort: 30_000 }] } },
      { spec: { ports: [{ port: 80 }] } },
    ],
  ])('asks for nothing that only the host can give: %s', async (_what, kind, fields, expected) => {
    const { data: _, ...bare } = source
    const there = await imported({ ...bare, ...fields }, { ...rules, kind })
    expect(JSON.parse(JSON.stringify(fieldsOf(there)))).toEqual(expected)
  })

  it('does not exist under another name', async () => {
    const there = await imported()
    expect(isImport(there)).toBe(true)
    expect(isImport({ ...there, metadata: { ...there.metadata, name: 'other' } })).toBe(false)
    expect(isImport({ ...there, metadata: { ...there.metadata, namespace: 'other' } })).toBe(false)
  })

  it('is deleted with its source', async () => {
    const there = await imported()
    expect(await planImport(undefined, there, place, rules)).toEqual({ action: 'delete', virtual: there })
    expect(await planImport(undefined, undefined, place, rules)).toEqual({ action: 'nothing' })
  })
})
