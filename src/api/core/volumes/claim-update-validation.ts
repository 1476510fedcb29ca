import { deepEqual } from '../../../base/equal.ts'
import { allErrors, type FieldError, forbiddenField, invalidField } from '../../field-error.ts'
import { nanosOf } from '../../quantity.ts'
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../../types/core-v1.ts'
import { withBothSources } from './claim-data-source.ts'

/** Where the class of a claim was before it had a field. */
const classAnnotation = 'volume.beta.kubernetes.io/storage-class'

/**
 * A bound claim keeps its volume; only the requested size may still change.
 */
export function validateClaimUpdate(
  after: PersistentVolumeClaim,
  before: PersistentVolumeClaim,
): readonly FieldError[] {
  const { volumeMode } = after.spec
  return allErrors(
    validateClassAnnotation(after, before),
    deepEqual(fixedPart(after, before), fixedPart(before, before))
      ? []
      : [
          forbiddenField(
            'spec',
            'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
          ),
        ],
    shrinks(after, before)
      ? [forbiddenField('spec.resources.requests.storage', 'field can not be less than status.capacity')]
      : [],
    volumeMode === before.spec.volumeMode ? [] : [invalidField('volumeMode', volumeMode, 'field is immutable')],
  )
}

function validateClassAnnotation(after: PersistentVolumeClaim, before: PersistentVolumeClaim): readonly FieldError[] {
  const [now = '', old = ''] = [classAnnotationOf(after), classAnnotationOf(before)]
  if (now === old || movesClass(after, before)) return []
  return [invalidField(`metadata.annotations.${classAnnotation}`, now, 'field is immutable')]
}

/** The class moves from the annotation to the field. */
function movesClass(after: PersistentVolumeClaim, before: PersistentVolumeClaim): boolean {
  const [now, old] = [classAnnotationOf(after), classAnnotationOf(before)]
  if (old === undefined || before.spec.storageClassName !== undefined) return false
  return after.spec.storageClassName === old && (now === undefined || now === old)
}

/** A claim without a class gets one later, when a class becomes the default. */
function gainsClass({ spec }: PersistentVolumeClaim, before: PersistentVolumeClaim): boolean {
  const annotation = classAnnotationOf(before)
  if (spec.storageClassName === undefined || before.spec.storageClassName !== undefined) return false
  return annotation === undefined || annotation === spec.storageClassName
}

function classAnnotationOf({ metadata }: PersistentVolumeClaim): string | undefined {
  return metadata.annotations?.[classAnnotation]
}

function fixedPart(claim: PersistentVolumeClaim, before: PersistentVolumeClaim): unknown {
  const { volumeAttributesClassName: _, volumeName, storageClassName, ...rest } = withBothSources(claim.spec)
  return {
    ...rest,
    resources: fixedResources(claim.spec, before.status.phase === 'Bound'),
    volumeName: before.spec.volumeName === undefined ? undefined : volumeName,
    storageClassName: gainsClass(claim, before) ? undefined : storageClassName,
  }
}

function fixedResources({ resources }: PersistentVolumeClaimSpec, isBound: boolean): unknown {
  if (!isBound) return resources
  const { storage: _, ...requests } = resources.requests ?? {}
  return { ...resources, requests }
}

/** Requests less than before, and no more than its capacity. */
function shrinks(after: PersistentVolumeClaim, before: PersistentVolumeClaim): boolean {
  const wanted = requestedNanos(after)
  return wanted < requestedNanos(before) && wanted <= nanosOf(before.status.capacity?.storage ?? 0)
}

function requestedNanos({ spec }: PersistentVolumeClaim): bigint {
  return nanosOf(spec.resources.requests?.storage ?? 0)
}
