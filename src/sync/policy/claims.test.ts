import { describe, expect, it } from 'vitest'
import { rulesFor } from '../../../tests/support/example-worlds.ts'
import type { KubeObject } from '../../api/object.ts'
import { persistentVolumeClaimsSync } from '../kinds/persistent-volume-claims.ts'

const { policy } = rulesFor(persistentVolumeClaimsSync, 'PersistentVolumeClaim')
const asked = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }

function judged(spec: object) {
  const claim: KubeObject = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data' }, spec }
  const { object, refusals } = policy.filter(claim)
  return { spec: object.spec, fields: refusals.map(({ field }) => field) }
}

describe('a claim', () => {
  it.each([
    ['a class', { storageClassName: 'fast' }],
    ['a claim of its own to copy', { dataSource: { kind: 'PersistentVolumeClaim', name: 'v-other' } }],
  ])('keeps %s', (_, fields) => {
    expect(judged({ ...asked, ...fields })).toEqual({ spec: { ...asked, ...fields }, fields: [] })
  })

  it.each([
    ['volumes of the host by their labels', { selector: { matchLabels: { a: 'b' } } }, 'spec.selector'],
    ['volumes of the host that were made by hand', { storageClassName: '' }, 'spec.storageClassName'],
    ['snapshots of the host', { dataSource: { kind: 'VolumeSnapshot', name: 's' } }, 'spec.dataSource'],
    [
      'claims of other namespaces',
      { dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'v-other', namespace: 'kube-system' } },
      'spec.dataSourceRef',
    ],
  ])('may not take %s', (_, fields, field) => {
    expect(judged({ ...asked, ...fields })).toEqual({ spec: asked, fields: [field] })
  })
})
