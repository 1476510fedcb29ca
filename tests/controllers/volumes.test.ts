import { expect, it } from 'vitest'
import type { PersistentVolumeClaim } from '../../src/api/types/core-v1.ts'
import { eventually } from '../support/eventually.ts'
import { place, shell, useWorkloads } from './workload-world.ts'

const { create, merge, messages, contextOf, rules } = useWorkloads()

const claimNow = (name: string) =>
  contextOf('', 'PersistentVolumeClaim').cache.get({ namespace: place, name })?.object as PersistentVolumeClaim

async function createClaim(name: string, more: object): Promise<void> {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...more }
  const metadata = { name, namespace: place }
  await create('persistentvolumeclaims', { ...shell('v1', 'PersistentVolumeClaim'), metadata, spec })
}

async function createVolume(name: string): Promise<void> {
  const source = { hostPath: { path: '/data' }, persistentVolumeReclaimPolicy: 'Retain', storageClassName: 'by-hand' }
  const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...source }
  await create('persistentvolumes', { ...shell('v1', 'PersistentVolume'), metadata: { name }, spec })
}

it('a claim gets the volume that it names even if that is created later, and another claim is refused', async () => {
  await createClaim('first', { volumeName: 'v1', storageClassName: 'by-hand' })
  await merge('persistentvolumeclaims', 'first', { metadata: { labels: { looked: 'at' } } })
  await createVolume('v1')
  await eventually(() => expect(claimNow('first').status.phase).toBe('Bound'))
  await createClaim('second', { volumeName: 'v1', storageClassName: 'by-hand' })
  await eventually(() => expect(messages('FailedBinding')).toEqual(['volume "v1" already bound to a different claim.']))
})

it('a claim names its external provisioner', async () => {
  const fast = { provisioner: 'csi.example.com', reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }
  await create('storageclasses', { ...shell('storage.k8s.io/v1', 'StorageClass'), metadata: { name: 'fast' }, ...fast })
  await createClaim('data', { storageClassName: 'fast' })
  await eventually(() => expect(messages('ExternalProvisioning')).toHaveLength(1))
  expect(claimNow('data').metadata.annotations).toEqual({
    'volume.beta.kubernetes.io/storage-provisioner': 'csi.example.com',
    'volume.kubernetes.io/storage-provisioner': 'csi.example.com',
  })
})

it('a claim whose copy the host binds gets no volume of the virtual cluster', async () => {
  let decisions = 0
  rules.claimsAreSynced = () => {
    decisions += 1
    return true
  }
  await createVolume('v1')
  await createClaim('any', { storageClassName: 'by-hand' })
  await createClaim('named', { volumeName: 'v1', storageClassName: 'by-hand' })
  await eventually(() => expect(decisions).toBeGreaterThanOrEqual(2))
  const volume = contextOf('', 'PersistentVolume').cache.get({ namespace: '', name: 'v1' })?.object
  expect(volume?.spec).not.toHaveProperty('claimRef')
  expect([claimNow('any').status.phase, claimNow('named').status.phase]).toEqual(['Pending', 'Pending'])
})
