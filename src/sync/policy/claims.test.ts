import { describe, expect, it } from 'vitest'
import { copyOf, planned, rulesFor } from '../../../tests/support/examples/worlds.ts'
import type { KubeObject } from '../../api/object.ts'
import { persistentVolumeClaimsSync } from '../kinds/persistent-volume-claims.ts'
import { copyProtection } from '../names/markers.ts'

const allowing = (...allowed: readonly string[]) =>
  rulesFor(persistentVolumeClaimsSync, 'PersistentVolumeClaim', { policies: { sync: { storageClasses: { allowed } } } })
const { policy } = allowing('fast')
const asked = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }

function judged(spec: object) {
  const claim: KubeObject = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data' }, spec }
  const { object, refusals } = policy.filter(claim)
  return { spec: object.spec, fields: refusals.map(({ field }) => field) }
}

describe('a claim', () => {
  it.each([
    ['a class that is allowed', { storageClassName: 'fast' }],
    ['one of its own claims to copy', { dataSource: { kind: 'PersistentVolumeClaim', name: 'v-other' } }],
  ])('keeps %s', (_, fields) => {
    expect(judged({ ...asked, ...fields })).toEqual({ spec: { ...asked, ...fields }, fields: [] })
  })

  it.each([
    ['volumes of the host by their labels', { selector: { matchLabels: { a: 'b' } } }, 'spec.selector'],
    ['volumes of the host that were made by hand', { storageClassName: '' }, 'spec.storageClassName'],
    ['a class that is not allowed', { storageClassName: 'secret' }, 'spec.storageClassName'],
    ['attributes that are not allowed', { volumeAttributesClassName: 'gold' }, 'spec.volumeAttributesClassName'],
    ['snapshots of the host', { dataSource: { kind: 'VolumeSnapshot', name: 's' } }, 'spec.dataSource'],
    [
      'claims of other namespaces',
      { dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'v-other', namespace: 'kube-system' } },
      'spec.dataSourceRef',
    ],
  ])('may not request %s', (_, fields, field) => {
    expect(judged({ ...asked, ...fields })).toEqual({ spec: asked, fields: [field] })
  })

  it('may name any class if all are allowed, and keeps its class when they no longer are', async () => {
    const metadata = {
      name: 'data',
      namespace: 'default',
      uid: 'u1',
      resourceVersion: '5',
      finalizers: [copyProtection],
    }
    const spec = { ...asked, storageClassName: 'secret' }
    const virtual: KubeObject = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, spec }
    const copy = await copyOf(virtual, allowing('*'))
    expect(copy.spec).toMatchObject({ storageClassName: 'secret' })
    expect(await planned({ virtual, copy }, allowing())).toMatchObject({
      action: 'update',
      host: { spec: { storageClassName: 'secret' } },
    })
  })

  it('has the attributes that are allowed, and keeps those that it has when they no longer are', async () => {
    const rules = (...allowed: readonly string[]) =>
      rulesFor(persistentVolumeClaimsSync, 'PersistentVolumeClaim', {
        policies: { sync: { volumeAttributesClasses: { allowed } } },
      })
    const finalizers = [copyProtection]
    const metadata = { name: 'data', namespace: 'default', uid: 'u1', resourceVersion: '5', finalizers }
    const spec = { ...asked, volumeAttributesClassName: 'gold' }
    const virtual: KubeObject = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, spec }
    const copy = await copyOf(virtual, rules('gold'))
    expect(copy.spec).toMatchObject({ volumeAttributesClassName: 'gold' })
    expect(await planned({ virtual, copy }, rules())).toMatchObject({
      action: 'update',
      host: { spec: { volumeAttributesClassName: 'gold' } },
    })
  })
})
