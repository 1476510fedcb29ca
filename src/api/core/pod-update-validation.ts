import { deepEqual } from '../../base/equal.ts'
import { type FieldError, forbiddenField, invalidField, requiredField } from '../field-error.ts'
import type { Container, Pod, PodSpec, Toleration } from '../types/core-v1.ts'

const changeable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',')

/** A pod that may be running already is changed in a few respects only. */
export function validatePodUpdate(after: Pod, before: Pod): readonly FieldError[] {
  const lists = [
    ...validateImages('spec.containers', after.spec.containers ?? [], before.spec.containers ?? []),
    ...validateImages('spec.initContainers', after.spec.initContainers ?? [], before.spec.initContainers ?? []),
  ]
  if (lists.some(({ field }) => field === 'spec.containers' || field === 'spec.initContainers')) return lists
  return [
    ...lists,
    ...validateDeadline(after.spec.activeDeadlineSeconds, before.spec.activeDeadlineSeconds),
    ...validateAddedTolerations(after.spec.tolerations ?? [], before.spec.tolerations ?? []),
    ...validateRemovedGates(after.spec, before.spec),
    ...(deepEqual(comparable(after.spec, before.spec), comparable(before.spec, before.spec))
      ? []
      : [forbiddenField('spec', `pod updates may not change fields other than ${changeable}`)]),
  ]
}

export function validatePodStatusUpdate(after: Pod, before: Pod): readonly FieldError[] {
  if (after.status.qosClass === before.status.qosClass) return []
  return [invalidField('status.qosClass', after.status.qosClass ?? '', 'field is immutable')]
}

function validateImages(
  field: string,
  after: readonly Container[],
  before: readonly Container[],
): readonly FieldError[] {
  if (after.length !== before.length) return [forbiddenField(field, 'pod updates may not add or remove containers')]
  return after.flatMap(({ image = '' }, index) => [
    ...(image === '' ? [requiredField(`${field}[${index}].image`)] : []),
    ...(image.trim() === image
      ? []
      : [invalidField(`${field}[${index}].image`, image, 'must not have leading or trailing whitespace')]),
  ])
}

/** A deadline may be set, and then only be brought forward. */
function validateDeadline(after: number | undefined, before: number | undefined): readonly FieldError[] {
  const field = 'spec.activeDeadlineSeconds'
  if (before === undefined) return []
  if (after === undefined) return [invalidField(field, null, 'must not update from a positive integer to nil value')]
  return after <= before ? [] : [invalidField(field, after, 'must be less than or equal to previous value')]
}

function validateAddedTolerations(after: readonly Toleration[], before: readonly Toleration[]): readonly FieldError[] {
  const identity = ({ key, operator, value, effect }: Toleration) => JSON.stringify([key, operator, value, effect])
  const kept = new Set(after.map(identity))
  if (before.every((old) => kept.has(identity(old)))) return []
  return [forbiddenField('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds')]
}

function validateRemovedGates(after: PodSpec, before: PodSpec): readonly FieldError[] {
  const known = new Set((before.schedulingGates ?? []).map(({ name }) => name))
  return (after.schedulingGates ?? []).flatMap(({ name }, index) =>
    known.has(name)
      ? []
      : [forbiddenField(`spec.schedulingGates[${index}]`, 'only deletion is allowed, but found new scheduling gates')],
  )
}

/** A spec without what has been checked already, or may change freely. */
function comparable(spec: PodSpec, before: PodSpec): object {
  const { activeDeadlineSeconds: _, tolerations: __, schedulingGates: ___, ...rest } = spec
  const grace = before.terminationGracePeriodSeconds ?? 0
  return {
    ...rest,
    containers: (spec.containers ?? []).map(({ image: _, ...container }) => container),
    initContainers: (spec.initContainers ?? []).map(({ image: _, ...container }) => container),
    ...(grace < 0 && spec.terminationGracePeriodSeconds === 1 ? { terminationGracePeriodSeconds: grace } : {}),
  }
}
