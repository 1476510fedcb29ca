import { deepEqual } from '../../../base/equal.ts'
import { allErrors, type FieldError, forbiddenField, invalidField, requiredField } from '../../field-error.ts'
import type { Container, Pod, PodSpec, Toleration } from '../../types/core-v1.ts'
import { validateTolerations } from '../nodes/toleration-validation.ts'
import { validateImage } from './containers/container-validation.ts'
import { ungatedSpec, validateGatedChange } from './gated-pod-validation.ts'
import { validateAnnotationChange } from './pod-annotations.ts'

const maxSeconds = 2_147_483_647

const changeable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',')

/**
 * A pod that may already be running can change in only a few respects. The first list with a different length ends the
 * checks.
 */
export function validatePodUpdate(after: Pod, before: Pod): readonly FieldError[] {
  const annotations = validateAnnotationChange(after, before)
  const [now, then] = [after.spec, before.spec]
  if ((now.containers ?? []).length !== (then.containers ?? []).length) return [...annotations, resized('containers')]
  const images = validateImages('spec.containers', now.containers ?? [])
  if ((now.initContainers ?? []).length !== (then.initContainers ?? []).length) {
    return [...annotations, ...images, resized('initContainers')]
  }
  const earlier = [...annotations, ...images, ...validateImages('spec.initContainers', now.initContainers ?? [])]
  const deadline = validateDeadline(now.activeDeadlineSeconds, then.activeDeadlineSeconds)
  if (deadline.length > 0 && now.activeDeadlineSeconds !== undefined) return allErrors(earlier, deadline)
  return allErrors(earlier, deadline, validateRest(now, then))
}

function resized(list: string): FieldError {
  return forbiddenField(`spec.${list}`, 'pod updates may not add or remove containers')
}

function validateRest(after: PodSpec, before: PodSpec): readonly FieldError[] {
  return allErrors(
    validateAddedTolerations(after.tolerations ?? [], before.tolerations ?? []),
    validateRemovedGates(after, before),
    validateGatedChange(after, before),
    deepEqual(comparable(after, before), comparable(before, before))
      ? []
      : [forbiddenField('spec', `pod updates may not change fields other than ${changeable}`)],
  )
}

function validateImages(field: string, containers: readonly Container[]): readonly FieldError[] {
  return containers.flatMap(({ image = '' }, index) =>
    allErrors(
      image === '' ? [requiredField(`${field}[${index}].image`)] : [],
      validateImage(`${field}[${index}].image`, image),
    ),
  )
}

/** A deadline may be set, and then only be brought forward. */
function validateDeadline(after: number | undefined, before: number | undefined): readonly FieldError[] {
  const field = 'spec.activeDeadlineSeconds'
  if (after === undefined) {
    return before === undefined
      ? []
      : [invalidField(field, null, 'must not update from a positive integer to nil value')]
  }
  if (after < 0 || after > maxSeconds) {
    return [invalidField(field, after, `must be between 0 and ${maxSeconds}, inclusive`)]
  }
  if (before === undefined || after <= before) return []
  return [invalidField(field, after, 'must be less than or equal to previous value')]
}

function validateAddedTolerations(after: readonly Toleration[], before: readonly Toleration[]): readonly FieldError[] {
  const identity = ({ key, operator, value, effect }: Toleration) => JSON.stringify([key, operator, value, effect])
  const kept = new Set(after.map(identity))
  const field = 'spec.tolerations'
  return before.every((old) => kept.has(identity(old)))
    ? validateTolerations(field, after)
    : [forbiddenField(field, 'existing toleration can not be modified except its tolerationSeconds')]
}

function validateRemovedGates(after: PodSpec, before: PodSpec): readonly FieldError[] {
  const known = new Set((before.schedulingGates ?? []).map(({ name }) => name))
  const added = new Map((after.schedulingGates ?? []).map(({ name }, index) => [name, index]))
  return [...added]
    .filter(([name]) => !known.has(name))
    .map(([name, index]) =>
      forbiddenField(
        `spec.schedulingGates[${index}].name`,
        `only deletion is allowed, but found new scheduling gate '${name}'`,
      ),
    )
}

/** A spec without the fields that are already checked, or may change freely. */
function comparable(spec: PodSpec, before: PodSpec): object {
  const { activeDeadlineSeconds: _, tolerations: __, schedulingGates: ___, ...rest } = ungatedSpec(spec, before)
  const grace = before.terminationGracePeriodSeconds ?? 0
  return {
    ...rest,
    containers: (spec.containers ?? []).map(({ image: _, ...container }) => container),
    initContainers: (spec.initContainers ?? []).map(({ image: _, ...container }) => container),
    ...(grace < 0 && spec.terminationGracePeriodSeconds === 1 ? { terminationGracePeriodSeconds: grace } : {}),
  }
}
