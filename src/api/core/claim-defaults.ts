import type { PersistentVolumeClaim } from '../types/core-v1.ts'

export function withClaimDefaults(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  return {
    ...claim,
    spec: { ...claim.spec, volumeMode: claim.spec.volumeMode ?? 'Filesystem' },
    status: { ...claim.status, phase: claim.status.phase ?? 'Pending' },
  }
}
