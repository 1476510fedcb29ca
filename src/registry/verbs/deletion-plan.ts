import type { Kind } from '../../api/kind.ts'
import { withDeletion } from '../../api/metadata/deletion.ts'
import { foregroundFinalizer, orphanFinalizer } from '../../api/metadata/finalizers.ts'
import type { KubeObject, ObjectMeta } from '../../api/object.ts'
import type { DeletionPolicy } from '../contract.ts'

export type DeletionPlan =
  /** The object as shown in the response: if it could have had a grace period, it reports zero, and is stored so first. */
  | { readonly action: 'remove'; readonly object: KubeObject; readonly isMarkedFirst: boolean }
  /** The object stays, marked, until its finalizers are removed and its grace period is over. */
  | { readonly action: 'mark'; readonly object: KubeObject }
  /** Deletion was already requested, and there is nothing to change. */
  | { readonly action: 'wait'; readonly object: KubeObject }

export function planDeletion(kind: Kind, object: KubeObject, options: DeletionPolicy, nowMs: number): DeletionPlan {
  const finalizers = finalizersFor(object.metadata.finalizers ?? [], options, kind)
  const graceSeconds = Math.max(0, kind.strategy.gracePeriodSeconds?.(object, options.gracePeriodSeconds) ?? 0)
  const deleting = marked(kind, withFinalizers(object, finalizers), graceSeconds, nowMs)
  if (graceSeconds === 0 && finalizers.length === 0 && kind.strategy.holdsDeletion?.(deleting) !== true) {
    if (kind.strategy.gracePeriodSeconds === undefined) return { action: 'remove', object, isMarkedFirst: false }
    const isMarkedFirst = kind.goesWhenGraceEnds !== true && !sameDeletion(deleting.metadata, object.metadata)
    return { action: 'remove', object: deleting, isMarkedFirst }
  }
  return sameDeletion(deleting.metadata, object.metadata)
    ? { action: 'wait', object }
    : { action: 'mark', object: deleting }
}

/** Whether nothing prevents the removal of an object whose deletion was requested. */
export function isReadyToGo(kind: Kind, object: KubeObject, nowMs: number): boolean {
  const { deletionTimestamp, finalizers = [] } = object.metadata
  return (
    deletionTimestamp !== undefined &&
    finalizers.length === 0 &&
    kind.strategy.holdsDeletion?.(object) !== true &&
    (kind.strategy.gracePeriodSeconds === undefined ||
      object.metadata.deletionGracePeriodSeconds === 0 ||
      (kind.goesWhenGraceEnds === true && Date.parse(deletionTimestamp) <= nowMs))
  )
}

function finalizersFor(
  present: readonly string[],
  options: DeletionPolicy,
  { orphansByDefault = false, hasNoDependents = false }: Kind,
): readonly string[] {
  if (hasNoDependents) return present
  const asked = options.propagationPolicy ?? policyOf(options.orphanDependents)
  const policy = asked ?? (orphansByDefault && !isDecided(present) ? 'Orphan' : undefined)
  if (policy === undefined) return present
  const others = present.filter((each) => each !== foregroundFinalizer && each !== orphanFinalizer)
  if (policy === 'Foreground') return [...others, foregroundFinalizer]
  return policy === 'Orphan' ? [...others, orphanFinalizer] : others
}

function isDecided(finalizers: readonly string[]): boolean {
  return finalizers.includes(foregroundFinalizer) || finalizers.includes(orphanFinalizer)
}

function policyOf(orphanDependents: boolean | undefined): DeletionPolicy['propagationPolicy'] {
  if (orphanDependents === undefined) return undefined
  return orphanDependents ? 'Orphan' : 'Background'
}

function withFinalizers(object: KubeObject, finalizers: readonly string[]): KubeObject {
  const { finalizers: _, ...metadata } = object.metadata
  return { ...object, metadata: finalizers.length === 0 ? metadata : { ...metadata, finalizers } }
}

function marked(kind: Kind, object: KubeObject, graceSeconds: number, nowMs: number): KubeObject {
  const metadata = withDeletion(object.metadata, graceSeconds, nowMs)
  if (metadata === object.metadata) return object
  const deleting = {
    ...object,
    metadata: kind.strategy.holdsDeletion === undefined ? metadata : keptByKind(metadata, object.metadata),
  }
  return kind.strategy.markDeleted?.(deleting) ?? deleting
}

/** An object that its kind itself keeps, such as a Namespace, has no grace period, and its generation stays. */
function keptByKind(
  { deletionGracePeriodSeconds: _, ...metadata }: ObjectMeta,
  { generation }: ObjectMeta,
): ObjectMeta {
  return generation === undefined ? metadata : { ...metadata, generation }
}

function sameDeletion(left: ObjectMeta, right: ObjectMeta): boolean {
  return (
    left.deletionTimestamp === right.deletionTimestamp &&
    left.deletionGracePeriodSeconds === right.deletionGracePeriodSeconds &&
    (left.finalizers ?? []).join() === (right.finalizers ?? []).join()
  )
}
