import { classOf } from '../../api/core/volumes/volume-columns.ts'
import { forbidden } from '../../api/error.ts'
import { parseQuantity } from '../../api/quantity.ts'
import type { PersistentVolumeClaim } from '../../api/types/core-v1.ts'
import { type AdmissionPlugin, isCore } from './contract.ts'

/** A claim can grow only if its storage class allows expansion. */
export const claimResize: AdmissionPlugin = {
  name: 'PersistentVolumeClaimResize',
  handles: (kind) => isCore(kind, 'PersistentVolumeClaim'),
  inspect: (object, { engine, kind, old }) => {
    const after = object as PersistentVolumeClaim
    const before = old as PersistentVolumeClaim | undefined
    if (before === undefined || requested(after) <= requested(before)) return
    const { name = '', annotations } = after.metadata
    if (before.status.phase !== 'Bound')
      throw forbidden(kind, name, 'Only bound persistent volume claims can be expanded')
    const className = classOf(after.spec.storageClassName, annotations)
    const found = engine.find('storage.k8s.io', 'StorageClass')?.cache.get({ namespace: '', name: className })?.object
    if (found?.allowVolumeExpansion === true) return
    const problem = 'only dynamically provisioned pvc can be resized'
    throw forbidden(kind, name, `${problem} and the storageclass that provisions the pvc must support resize`)
  },
}

function requested({ spec }: PersistentVolumeClaim): bigint {
  const parsed = parseQuantity(String(spec.resources.requests?.storage ?? 0))
  return 'problem' in parsed ? 0n : parsed.nanos
}
