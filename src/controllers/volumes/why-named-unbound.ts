import { classOf } from '../../api/core/volumes/volume-columns.ts'
import type { PersistentVolumeClaim } from '../../api/types/core-v1.ts'
import type { News } from '../run/event-limits.ts'
import { isClaimMeant } from './plan.ts'
import { amount, type VolumeFacts } from './volume-facts.ts'

/** What a user is told whose claim names a volume that it cannot have, in the words of Kubernetes. */
export function whyNamedUnbound(claim: PersistentVolumeClaim, volume: VolumeFacts): News | undefined {
  if (claim.metadata.deletionTimestamp !== undefined) return undefined
  if (volume.claim !== undefined && !isClaimMeant(claim, volume.claim)) {
    const message = `volume "${volume.name}" already bound to a different claim.`
    return { type: 'Warning', reason: 'FailedBinding', message }
  }
  const mismatch = mismatchOf(claim, volume)
  if (mismatch === undefined) return undefined
  const message = `Cannot bind to requested volume "${volume.name}": ${mismatch}`
  return { type: 'Warning', reason: 'VolumeMismatch', message }
}

function mismatchOf({ metadata, spec }: PersistentVolumeClaim, volume: VolumeFacts): string | undefined {
  const { accessModes = [], volumeMode = 'Filesystem', resources } = spec
  if (volume.capacity < amount(resources.requests?.storage)) return 'requested PV is too small'
  if (volume.storageClass !== classOf(spec.storageClassName, metadata.annotations)) {
    return 'storageClassName does not match'
  }
  if (volume.volumeMode !== volumeMode) return 'incompatible volumeMode'
  return accessModes.every((mode) => volume.accessModes.includes(mode)) ? undefined : 'incompatible accessMode'
}
