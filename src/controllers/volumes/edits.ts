import type { KubeObject } from '../../api/object.ts'
import type { PersistentVolume, PersistentVolumeClaim } from '../../api/types/core-v1.ts'
import { deepEqual } from '../../base/equal.ts'
import { withDefaultClass } from '../../registry/admission/default-classes.ts'
import type { ResourceContext } from '../../registry/context.ts'
import { bindCompleted, isClaimMeant } from './plan.ts'

/** Name the provisioner that makes the volume. Older provisioners read the first one. */
const provisionerAnnotations = [
  'volume.beta.kubernetes.io/storage-provisioner',
  'volume.kubernetes.io/storage-provisioner',
]

/** The controller may undo its own choice. */
const boundByController = 'pv.kubernetes.io/bound-by-controller'

export type ObjectEdit = (object: KubeObject) => KubeObject | undefined

/** Each edit returns the new state of an object at the time of the write; undefined: it stays. */

export function withClaim(claim: PersistentVolumeClaim): ObjectEdit {
  return (object) => {
    const volume = object as PersistentVolume
    const { claimRef } = volume.spec
    if (claimRef !== undefined && !isClaimMeant(claim, claimRef)) return undefined
    if (volume.metadata.deletionTimestamp !== undefined || claimRef?.uid === claim.metadata.uid) return undefined
    const { namespace = '', name = '', uid = '', resourceVersion = '' } = claim.metadata
    const reference = { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name, uid, resourceVersion }
    const noted = claimRef === undefined ? annotated(volume, { [boundByController]: 'yes' }) : volume
    return { ...noted, spec: { ...volume.spec, claimRef: reference } }
  }
}

export function withoutClaim(uid: string): ObjectEdit {
  return (object) => {
    const volume = object as PersistentVolume
    const { claimRef, ...spec } = volume.spec
    if (claimRef?.uid !== uid) return undefined
    const { [boundByController]: isOwn, ...annotations } = volume.metadata.annotations ?? {}
    if (isOwn !== undefined) return { ...volume, metadata: { ...volume.metadata, annotations }, spec }
    const { uid: _, ...meant } = claimRef
    return { ...volume, spec: { ...spec, claimRef: meant } }
  }
}

export function inPhase(phase: string, now: string): ObjectEdit {
  return (object) => {
    const volume = object as PersistentVolume
    if (volume.status.phase === phase) return undefined
    return { ...volume, status: { ...volume.status, phase, lastPhaseTransitionTime: now } }
  }
}

export function withVolume(uid: string | undefined, volumeName: string): ObjectEdit {
  return (object) => {
    const claim = object as PersistentVolumeClaim
    const { volumeName: before = '' } = claim.spec
    const isDone = before === volumeName && claim.metadata.annotations?.[bindCompleted] !== undefined
    if (claim.metadata.uid !== uid || isDone || (before !== '' && before !== volumeName)) return undefined
    const own = before === '' ? { [boundByController]: 'yes' } : {}
    return { ...annotated(claim, { ...own, [bindCompleted]: 'yes' }), spec: { ...claim.spec, volumeName } }
  }
}

/** Reports the volume's capacity. A claim that is being resized already knows its size. */
export function boundTo(uid: string | undefined, { spec }: PersistentVolume): ObjectEdit {
  return (object) => {
    const claim = object as PersistentVolumeClaim
    if (claim.metadata.uid !== uid || claim.status.phase === 'Bound') return undefined
    const { accessModes, capacity } = spec
    const offered = { ...(accessModes && { accessModes }), ...(capacity && { capacity }) }
    return { ...claim, status: { ...claim.status, phase: 'Bound', ...offered } }
  }
}

/** For a claim that was created when no class was the default. */
export function inDefaultClass(uid: string | undefined, classes: ResourceContext): ObjectEdit {
  return (object) => {
    const claim = object as PersistentVolumeClaim
    const { volumeName = '' } = claim.spec
    return claim.metadata.uid === uid && volumeName === '' ? withDefaultClass(claim, classes) : undefined
  }
}

export function withProvisioner(uid: string | undefined, provisioner: string): ObjectEdit {
  return (object) => {
    if (object.metadata.uid !== uid) return undefined
    const noted = annotated(object, Object.fromEntries(provisionerAnnotations.map((each) => [each, provisioner])))
    return noted === object ? undefined : noted
  }
}

export function lostClaim(uid: string | undefined): ObjectEdit {
  return (object) => {
    const claim = object as PersistentVolumeClaim
    if (claim.metadata.uid !== uid || claim.status.phase === 'Lost') return undefined
    const { accessModes: _, capacity: __, ...status } = claim.status
    return { ...claim, status: { ...status, phase: 'Lost' } }
  }
}

export function withProtection(finalizer: string): ObjectEdit {
  return (object) => {
    const { finalizers = [], deletionTimestamp } = object.metadata
    if (deletionTimestamp !== undefined || finalizers.includes(finalizer)) return undefined
    return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } }
  }
}

export function withoutProtection(uid: string, finalizer: string): ObjectEdit {
  return (object) => {
    const { finalizers = [], ...metadata } = object.metadata
    const left = finalizers.filter((each) => each !== finalizer)
    if (metadata.uid !== uid || metadata.deletionTimestamp === undefined) return undefined
    if (left.length === finalizers.length) return undefined
    return { ...object, metadata: left.length === 0 ? metadata : { ...metadata, finalizers: left } }
  }
}

function annotated<T extends KubeObject>(object: T, added: Readonly<Record<string, string>>): T {
  const annotations = { ...object.metadata.annotations, ...added }
  if (deepEqual(annotations, object.metadata.annotations)) return object
  return { ...object, metadata: { ...object.metadata, annotations } }
}
