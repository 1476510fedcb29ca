import { type FieldError, invalidField, requiredField } from '../../field-error.ts'
import type { PersistentVolumeClaimSpec, TypedLocalObjectReference, TypedObjectReference } from '../../types/core-v1.ts'
import { checkLabelName, checkSubdomain } from '../field-checks.ts'

/**
 * A claim names the source of its data in two fields with the same content. Values that the older one never accepted
 * are dropped, unless the newer one or the stored claim (`old`) shows that they are meant. Other namespaces require a
 * feature that Kubernetes has disabled.
 */
export function withDataSources(
  spec: PersistentVolumeClaimSpec,
  old?: PersistentVolumeClaimSpec,
): PersistentVolumeClaimSpec {
  return withBothSources(withoutOddSource(withoutOtherNamespace(spec, old), old))
}

/** Fills in each of the two fields from the other one. */
export function withBothSources(spec: PersistentVolumeClaimSpec): PersistentVolumeClaimSpec {
  const { dataSource, dataSourceRef } = spec
  if (dataSource !== undefined && dataSourceRef === undefined) return { ...spec, dataSourceRef: { ...dataSource } }
  if (dataSource !== undefined || dataSourceRef === undefined || namesNamespace(dataSourceRef)) return spec
  const { namespace: _, ...local } = dataSourceRef
  return { ...spec, dataSource: local }
}

function withoutOtherNamespace(
  spec: PersistentVolumeClaimSpec,
  old: PersistentVolumeClaimSpec | undefined,
): PersistentVolumeClaimSpec {
  if (old?.dataSourceRef !== undefined || !namesNamespace(spec.dataSourceRef)) return spec
  const { dataSourceRef: _, ...rest } = spec
  return rest
}

function withoutOddSource(
  spec: PersistentVolumeClaimSpec,
  old: PersistentVolumeClaimSpec | undefined,
): PersistentVolumeClaimSpec {
  const isInUse = old?.dataSource !== undefined || old?.dataSourceRef !== undefined
  if (isInUse || spec.dataSourceRef !== undefined) return spec
  const { dataSource, ...rest } = spec
  return dataSource === undefined || isClaimOrSnapshot(dataSource) ? spec : rest
}

function isClaimOrSnapshot({ apiGroup: group, kind }: TypedLocalObjectReference): boolean {
  const apiGroup = group ?? ''
  if (kind === 'PersistentVolumeClaim') return apiGroup === ''
  return kind === 'VolumeSnapshot' && apiGroup === 'snapshot.storage.k8s.io'
}

function namesNamespace(reference: TypedObjectReference | undefined): boolean {
  return reference?.namespace !== undefined && reference.namespace !== ''
}

/** `field` is the path of the spec. */
export function validateDataSources(field: string, spec: PersistentVolumeClaimSpec): readonly FieldError[] {
  const { dataSource, dataSourceRef } = spec
  return [
    ...(dataSource === undefined ? [] : validateSource(`${field}.dataSource`, dataSource)),
    ...(dataSourceRef === undefined ? [] : validateReference(`${field}.dataSourceRef`, dataSourceRef)),
    ...(dataSource === undefined || dataSourceRef === undefined ? [] : validatePair(field, dataSource, dataSourceRef)),
  ]
}

function validateSource(field: string, { apiGroup: group, kind, name }: TypedLocalObjectReference) {
  const apiGroup = group ?? ''
  return [
    ...(name === '' ? [requiredField(`${field}.name`)] : []),
    ...(kind === '' ? [requiredField(`${field}.kind`)] : []),
    ...(apiGroup === '' && kind !== 'PersistentVolumeClaim'
      ? [invalidField(field, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup")]
      : []),
    ...(apiGroup === '' ? [] : checkSubdomain(`${field}.apiGroup`, apiGroup)),
  ]
}

function validateReference(field: string, reference: TypedObjectReference): readonly FieldError[] {
  const { namespace = '' } = reference
  return [
    ...validateSource(field, reference),
    ...(namespace === '' ? [] : checkLabelName(`${field}.namespace`, namespace)),
  ]
}

function validatePair(
  field: string,
  source: TypedLocalObjectReference,
  reference: TypedObjectReference,
): readonly FieldError[] {
  if (namesNamespace(reference)) {
    return [invalidField(field, source, 'may not be specified when dataSourceRef.namespace is specified')]
  }
  const isSame =
    source.apiGroup === reference.apiGroup && source.kind === reference.kind && source.name === reference.name
  return isSame ? [] : [invalidField(field, source, 'must match dataSourceRef')]
}
