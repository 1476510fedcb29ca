import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../api/object.ts'
import { configMapsSync } from '../kinds/config-maps.ts'
import { type ImportRules, planImport } from './plan.ts'

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

async function imported(): Promise<KubeObject> {
  const plan = await planImport(source, undefined, place, rules)
  if (plan.action !== 'create') throw new Error(`expected a create, got ${plan.action}`)
  return { ...plan.virtual, metadata: { ...plan.virtual.metadata, uid: 'v', resourceVersion: '7' } }
}

describe('an import', () => {
  it('is the whole object under its new name, and says where it is from', async () => {
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
    ['a label was added', { metadata: { ...place, labels: { more: '1' } } }],
  ])('is set right when %s', async (_story, edit) => {
    const there = { ...(await imported()), ...edit }
    expect(await planImport(source, there, place, rules)).toMatchObject({
      action: 'update',
      virtual: { data: { ca: 'one' }, metadata: { labels: { a: '1', 'tenant.internal/imported': 'mapping' } } },
    })
  })

  it('goes with its source', async () => {
    const there = await imported()
    expect(await planImport(undefined, there, place, rules)).toEqual({ action: 'delete', virtual: there })
    expect(await planImport(undefined, undefined, place, rules)).toEqual({ action: 'nothing' })
  })
})
