import { classOf } from '../../api/core/volumes/volume-columns.ts'
import type { KubeObject } from '../../api/object.ts'
import { parseQuantity } from '../../api/quantity.ts'
import type { ObjectReference, PersistentVolume, PersistentVolumeClaim } from '../../api/types/core-v1.ts'
import { type Owned, ownedFrom } from '../ownership/owned.ts'

/** What claims need to know about a PersistentVolume. */
export interface VolumeFacts extends Owned {
  readonly phase: string
  readonly claim: ObjectReference | undefined
  readonly storageClass: string
  readonly volumeMode: string
  readonly accessModes: readonly string[]
  readonly capacity: bigint
}

export interface ClaimFacts extends Owned {
  readonly phase: string
  /** Empty while it has none. */
  readonly volumeName: string
  readonly storageClass: string
}

export function volumeFactsFrom(object: KubeObject): VolumeFacts {
  const { metadata, spec, status } = object as PersistentVolume
  return {
    ...ownedFrom(object),
    phase: status.phase ?? '',
    claim: spec.claimRef,
    storageClass: classOf(spec.storageClassName, metadata.annotations),
    volumeMode: spec.volumeMode ?? 'Filesystem',
    accessModes: spec.accessModes ?? [],
    capacity: amount(spec.capacity?.storage),
  }
}

export function claimFactsFrom(object: KubeObject): ClaimFacts {
  const { metadata, spec, status } = object as PersistentVolumeClaim
  return {
    ...ownedFrom(object),
    phase: status.phase ?? '',
    volumeName: spec.volumeName ?? '',
    storageClass: classOf(spec.storageClassName, metadata.annotations),
  }
}

/** Claims that wait for a volume of one class are found together, and those that wait for one volume. */
export function waitingGroups({ volumeName, storageClass, phase }: ClaimFacts): readonly string[] {
  if (volumeName === '') return [classGroup(storageClass)]
  return phase === 'Bound' ? [] : [volumeGroup(volumeName)]
}

export function volumeGroups({ storageClass }: VolumeFacts): readonly string[] {
  return [classGroup(storageClass)]
}

export function volumeGroup(volume: string): string {
  return `volume/${volume}`
}

export function classGroup(storageClass: string): string {
  return `class/${storageClass}`
}

export function amount(quantity: string | number | undefined): bigint {
  const parsed = parseQuantity(String(quantity ?? 0))
  return 'problem' in parsed ? 0n : parsed.nanos
}
