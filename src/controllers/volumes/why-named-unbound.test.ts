import { expect, it } from 'vitest'
import type { PersistentVolumeClaim } from '../../api/types/core-v1.ts'
import { volumeFactsFrom } from './volume-facts.ts'
import { whyNamedUnbound } from './why-named-unbound.ts'

const claim: PersistentVolumeClaim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'c', namespace: 'a', uid: 'c' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } }, volumeName: 'v' },
  status: { phase: 'Pending' },
}

it.each([
  [{ claimRef: { namespace: 'a', name: 'other', uid: 'o' } }, 'volume "v" already bound to a different claim.'],
  [{ capacity: { storage: '1Gi' } }, 'Cannot bind to requested volume "v": requested PV is too small'],
  [{ storageClassName: 'fast' }, 'Cannot bind to requested volume "v": storageClassName does not match'],
  [{ volumeMode: 'Block' }, 'Cannot bind to requested volume "v": incompatible volumeMode'],
  [{ accessModes: ['ReadWriteMany'] }, 'Cannot bind to requested volume "v": incompatible accessMode'],
  [{ claimRef: { namespace: 'a', name: 'c' } }, undefined],
])('a claim that names a volume with %j gets the message: %s', (more, message) => {
  const spec = { capacity: { storage: '2Gi' }, accessModes: ['ReadWriteOnce'], ...more }
  const volume = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'v', uid: 'v' }, spec, status: {} }
  expect(whyNamedUnbound(claim, volumeFactsFrom(volume))?.message).toBe(message)
})
