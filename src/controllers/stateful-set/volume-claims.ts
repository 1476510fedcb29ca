import type { KubeObject, OwnerReference } from '../../api/object.ts'
import type { StatefulSet } from '../../api/types/apps-v1.ts'
import type { PersistentVolumeClaim } from '../../api/types/core-v1.ts'
import { controllerReference } from '../ownership/owned.ts'

/** The Pod that a claim is for. */
export interface ClaimUser {
  readonly name: string
  /** Undefined for a Pod that does not exist yet. */
  readonly uid: string | undefined
  /** The Pod is no longer wanted, and is deleted. */
  readonly isScaledDown: boolean
}

export function volumeClaimName({ metadata }: StatefulSet, templateName: string, ordinal: number): string {
  return `${templateName}-${metadata.name}-${ordinal}`
}

/** The names of the claims that the Pod of an ordinal needs. */
export function volumeClaimNames(set: StatefulSet, ordinal: number): readonly string[] {
  return (set.spec.volumeClaimTemplates ?? []).map(({ metadata }) => volumeClaimName(set, metadata.name ?? '', ordinal))
}

/** The claims that the Pod of an ordinal needs. */
export function volumeClaims(set: StatefulSet, ordinal: number): readonly PersistentVolumeClaim[] {
  const { volumeClaimTemplates = [], selector } = set.spec
  return volumeClaimTemplates.map(({ metadata, spec, status }) => {
    const { annotations, labels } = metadata
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        name: volumeClaimName(set, metadata.name ?? '', ordinal),
        namespace: set.metadata.namespace ?? '',
        labels: { ...labels, ...selector.matchLabels },
        ...(annotations && { annotations }),
      },
      spec,
      status,
    }
  })
}

/** Whether claims outlive their Pods and the set, so that they have no owner. */
export function retainsClaims({ spec }: StatefulSet): boolean {
  const { whenDeleted, whenScaled } = spec.persistentVolumeClaimRetentionPolicy ?? {}
  return whenDeleted !== 'Delete' && whenScaled !== 'Delete'
}

/**
 * The owners that a claim must have by the retention policy: it is garbage-collected with them. Undefined if it has
 * them. A claim owned by an earlier set or Pod of the name is deleted with that, and stays unchanged; one with another
 * controller keeps only that.
 */
export function claimOwners(
  set: StatefulSet,
  user: ClaimUser,
  owners: readonly OwnerReference[],
): readonly OwnerReference[] | undefined {
  if (isOfEarlierPod(user, owners) || isOfEarlierSet(set, owners)) return undefined
  const kept = owners.filter((owner) => !isSet(set, owner) && !isPod(user, owner))
  const isAnothers = !retainsClaims(set) && kept.some(({ controller }) => controller === true)
  const wanted = isAnothers ? kept : [...kept, ...wantedOwners(set, user)]
  return sameOwners(wanted, owners) ? undefined : wanted
}

/** Whether it belongs to an earlier Pod of the name, and is deleted with it. A new Pod would lose it. */
export function isOfEarlierPod(user: ClaimUser, owners: readonly OwnerReference[]): boolean {
  return owners.some((owner) => isPod(user, owner) && owner.uid !== user.uid)
}

function wantedOwners(set: StatefulSet, { name, uid, isScaledDown }: ClaimUser): readonly OwnerReference[] {
  const { whenDeleted, whenScaled } = set.spec.persistentVolumeClaimRetentionPolicy ?? {}
  if (isScaledDown && whenScaled === 'Delete') {
    return uid === undefined ? [] : [controllerReference(podShell(name, uid))]
  }
  return whenDeleted === 'Delete' ? [controllerReference(set)] : []
}

function podShell(name: string, uid: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, uid } }
}

function isSet(set: StatefulSet, { kind, name }: OwnerReference): boolean {
  return kind === 'StatefulSet' && name === set.metadata.name
}

function isPod(user: ClaimUser, { kind, name }: OwnerReference): boolean {
  return kind === 'Pod' && name === user.name
}

function isOfEarlierSet(set: StatefulSet, owners: readonly OwnerReference[]): boolean {
  return owners.some((owner) => isSet(set, owner) && owner.uid !== set.metadata.uid)
}

function sameOwners(left: readonly OwnerReference[], right: readonly OwnerReference[]): boolean {
  const same = (each: OwnerReference, other: OwnerReference) =>
    each.uid === other.uid && (each.controller === true) === (other.controller === true)
  return left.length === right.length && left.every((each) => right.some((other) => same(each, other)))
}
