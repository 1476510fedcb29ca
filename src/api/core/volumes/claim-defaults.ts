import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../../types/core-v1.ts'
import { roundedAmounts, withRoundedAmounts } from '../amounts/rounded-amounts.ts'

export function withClaimDefaults(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  const { capacity, allocatedResources } = claim.status
  return {
    ...claim,
    spec: withClaimSpecDefaults(claim.spec),
    status: {
      ...claim.status,
      phase: claim.status.phase ?? 'Pending',
      ...(capacity && { capacity: roundedAmounts(capacity) }),
      ...(allocatedResources && { allocatedResources: roundedAmounts(allocatedResources) }),
    },
  }
}

/** Also used for ephemeral volumes of pods. */
export function withClaimSpecDefaults(spec: PersistentVolumeClaimSpec): PersistentVolumeClaimSpec {
  return {
    ...spec,
    resources: withRoundedAmounts(spec.resources),
    volumeMode: spec.volumeMode ?? 'Filesystem',
  }
}
