import { expect, it } from 'vitest'
import type { PersistentVolumeClaim } from '../../api/types/core-v1.ts'
import type { StorageClass } from '../../api/types/storage-v1.ts'
import { whyUnbound } from './why-unbound.ts'

const claim = (spec: object, metadata: object = {}): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'c', namespace: 'a', ...metadata },
  spec: { resources: {}, ...spec },
  status: { phase: 'Pending' },
})
const provisionedBy = (provisioner: string): StorageClass => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'fast' },
  provisioner,
})
const fast = { storageClassName: 'fast' }

it.each<[PersistentVolumeClaim, StorageClass | undefined, boolean, string | undefined]>([
  [claim({}), undefined, false, 'FailedBinding'],
  [claim(fast), undefined, false, 'ProvisioningFailed'],
  [claim(fast), provisionedBy('kubernetes.io/no-provisioner'), false, 'ProvisioningFailed'],
  [claim(fast), provisionedBy('kubernetes.io/no-provisioner'), true, 'WaitForFirstConsumer'],
  [claim(fast), provisionedBy('csi.example.com'), false, 'ExternalProvisioning'],
  [claim({ volumeName: 'v' }), undefined, false, undefined],
  [claim({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), undefined, false, undefined],
])('%j of the class %j, delayed: %s, gets the message %s', (wanted, found, isDelayed, reason) => {
  expect(whyUnbound(wanted, found, isDelayed)?.reason).toBe(reason)
})
