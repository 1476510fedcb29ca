import { allErrors, type FieldError, forbiddenField, requiredField } from '../../field-error.ts'
import { validateAnnotations } from '../../metadata/annotations.ts'
import { validateLabels } from '../../metadata/labels.ts'
import type { ObjectMeta } from '../../object.ts'
import type { EphemeralVolumeSource } from '../../types/core-v1.ts'
import { validateClaimSpec } from './claim-validation.ts'

/** Metadata that a template cannot have, and how Kubernetes spells it in refusals. */
const foreign: readonly (readonly [keyof ObjectMeta, string])[] = [
  ['name', 'name'],
  ['generateName', 'generateName'],
  ['namespace', 'namespace'],
  ['uid', 'uID'],
  ['resourceVersion', 'resourceVersion'],
  ['generation', 'generation'],
  ['creationTimestamp', 'creationTimestamp'],
  ['deletionTimestamp', 'deletionTimestamp'],
  ['deletionGracePeriodSeconds', 'deletionGracePeriodSeconds'],
  ['ownerReferences', 'ownerReferences'],
  ['finalizers', 'finalizers'],
  ['managedFields', 'managedFields'],
]

export function checkEphemeral(field: string, { volumeClaimTemplate: template }: EphemeralVolumeSource) {
  const path = `${field}.volumeClaimTemplate`
  if (template === undefined) return [requiredField(path)]
  return allErrors(
    checkClaimMetadata(`${path}.metadata`, template.metadata),
    validateClaimSpec(`${path}.spec`, template.spec),
  )
}

function checkClaimMetadata(field: string, metadata: ObjectMeta): readonly FieldError[] {
  const errors: FieldError[] = []
  validateAnnotations(`${field}.annotations`, metadata.annotations, errors)
  validateLabels(`${field}.labels`, metadata.labels, errors)
  return allErrors(
    errors,
    foreign
      .filter(([member]) => isSet(metadata[member]))
      .map(([, spelled]) => forbiddenField(`${field}.${spelled}`, 'cannot be set')),
  )
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && value !== 0
}
