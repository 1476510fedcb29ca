import type { KubeObject } from '../../api/object.ts'
import type { ObjectName } from '../../patches/contract.ts'
import { companionLabel, isCopyOf, markAnnotations, markLabels, ownSelector } from '../names/markers.ts'
import type { TenantPlace } from '../names/names.ts'

export type CompanionPurpose = 'tokens' | 'environment'

export function companionSelector(identity: TenantPlace, purpose: CompanionPurpose): string {
  return `${ownSelector(identity)},${companionLabel}=${purpose}`
}

/** Marked like a copy, so that it is deleted with the tenant; its label distinguishes it from copies. */
export function companionMetadata(
  identity: TenantPlace,
  purpose: CompanionPurpose,
  owner: KubeObject,
  place: ObjectName,
): KubeObject['metadata'] {
  return {
    ...place,
    labels: { ...markLabels({ identity }), [companionLabel]: purpose },
    annotations: markAnnotations({ identity, kindMark: purpose }, owner, place),
  }
}

/** Whether an object of the host is such a companion of this tenant, by all of its marks. */
export function isCompanion(object: KubeObject, identity: TenantPlace, purpose: CompanionPurpose): boolean {
  return isCopyOf(object, identity) && object.metadata.labels?.[companionLabel] === purpose
}
