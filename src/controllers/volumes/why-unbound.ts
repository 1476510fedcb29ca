import { classOf } from '../../api/core/volumes/volume-columns.ts'
import type { PersistentVolumeClaim } from '../../api/types/core-v1.ts'
import type { StorageClass } from '../../api/types/storage-v1.ts'
import type { News } from '../run/event-limits.ts'

/** The volume is for a provisioner of others to make. */
export const externalProvisioning = 'ExternalProvisioning'

const delayed: News = {
  type: 'Normal',
  reason: 'WaitForFirstConsumer',
  message: 'waiting for first consumer to be created before binding',
}

const withoutClass: News = {
  type: 'Normal',
  reason: 'FailedBinding',
  message: 'no persistent volumes available for this claim and no storage class is set',
}

/** The Event for a claim without a volume, in the words of Kubernetes. */
export function whyUnbound(
  { spec, metadata }: PersistentVolumeClaim,
  found: StorageClass | undefined,
  isDelayed: boolean,
): News | undefined {
  if (spec.volumeName || metadata.deletionTimestamp !== undefined) return undefined
  if (isDelayed) return delayed
  const name = classOf(spec.storageClassName, metadata.annotations)
  if (name === '') return withoutClass
  if (found === undefined) return provisioningFailed(`storageclass.storage.k8s.io "${name}" not found`)
  const { provisioner } = found
  if (provisioner.startsWith('kubernetes.io/')) {
    return provisioningFailed(`no volume plugin matched name: ${provisioner}`)
  }
  return {
    type: 'Normal',
    reason: externalProvisioning,
    message: `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`,
  }
}

function provisioningFailed(message: string): News {
  return { type: 'Warning', reason: 'ProvisioningFailed', message }
}
