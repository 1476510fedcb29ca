import { expect, it } from 'vitest'
import { previewCreate } from '../../../tests/support/strategy-steps.ts'
import { persistentVolume } from '../core/volumes/persistent-volume.ts'
import { persistentVolumeClaim } from '../core/volumes/persistent-volume-claim.ts'
import { ingress } from '../networking/ingress.ts'
import { storageClass } from './storage-class.ts'

it('removed volume types, and deprecated topology labels', () => {
  const terms = [{ matchExpressions: [{ key: 'failure-domain.beta.kubernetes.io/zone', operator: 'Exists' }] }]
  const spec = {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    persistentVolumeReclaimPolicy: 'Recycle',
    cephfs: { monitors: ['m'] },
    nodeAffinity: { required: { nodeSelectorTerms: terms } },
  }
  const metadata = { name: 'v', annotations: { 'volume.beta.kubernetes.io/storage-class': 'fast' } }
  expect(previewCreate(persistentVolume, { metadata, spec }).warnings).toEqual([
    'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead',
    'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
    'spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key: failure-domain.beta.kubernetes.io/zone is deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
    'spec.cephfs: deprecated in v1.28, non-functional in v1.31+',
  ])
})

it('fractional bytes in a claim', () => {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '500m' } } }
  expect(previewCreate(persistentVolumeClaim, { metadata: { name: 'c' }, spec }).warnings).toEqual([
    'spec.resources.requests[storage]: fractional byte value "500m" is invalid, must be an integer',
  ])
})

it('deprecated labels and annotations of a StorageClass and an Ingress', () => {
  const allowedTopologies = [{ matchLabelExpressions: [{ key: 'beta.kubernetes.io/arch', values: ['arm64'] }] }]
  const fast = { metadata: { name: 's' }, provisioner: 'a.io/p', allowedTopologies }
  expect(previewCreate(storageClass, fast).warnings).toEqual([
    'allowedTopologies[0].matchLabelExpressions[0].key: deprecated since v1.14; use "kubernetes.io/arch" instead',
  ])
  const metadata = { name: 'i', annotations: { 'kubernetes.io/ingress.class': 'nginx' } }
  expect(previewCreate(ingress, { metadata, spec: {} }).warnings).toEqual([
    `annotation "kubernetes.io/ingress.class" is deprecated, please use 'spec.ingressClassName' instead`,
  ])
})
