import { deepEqual } from '../../base/equal.ts'
import { checkNotNegative } from '../core/field-checks.ts'
import { checkAtMostWhole, checkIntOrPercent, isNoneOf } from '../core/int-or-percent.ts'
import { validateLasting, validateTemplateMetadata } from '../core/pods/pod-template.ts'
import { invalidPrinted } from '../core/printed-errors.ts'
import { checkCollisions, validateAvailable, validateCounts, validateParts } from '../core/replica-status.ts'
import {
  allErrors,
  type FieldError,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  tooManyField,
} from '../field-error.ts'
import { goIntOrString } from '../human/go-syntax.ts'
import type {
  RollingUpdateStatefulSetStrategy,
  StatefulSet,
  StatefulSetSpec,
  StatefulSetUpdateStrategy,
} from '../types/apps-v1.ts'
import { type ReplicatedRules, validateReplicated } from './replica-checks.ts'

/** As in Kubernetes, the content of Pods is validated when they are created. */
const rules: ReplicatedRules = {
  emptySelectorFor: 'statefulset',
  badSelector: '',
  validateTemplate: (template) => validateTemplateMetadata('spec.template', template),
}

/** Each of them is looked up for each Pod, again and again. Kubernetes has no limit. */
const mostClaimTemplates = 100

export function validateStatefulSet({ spec }: StatefulSet): readonly FieldError[] {
  const count = (spec.volumeClaimTemplates ?? []).length
  if (count > mostClaimTemplates) return [tooManyField('spec.volumeClaimTemplates', count, mostClaimTemplates)]
  return allErrors(
    validatePodManagement('spec.podManagementPolicy', spec.podManagementPolicy ?? ''),
    validateStrategy('spec.updateStrategy', spec.updateStrategy),
    validateRetention(spec),
    checkNotNegative('spec.replicas', spec.replicas),
    checkNotNegative('spec.minReadySeconds', spec.minReadySeconds),
    checkNotNegative('spec.ordinals.start', spec.ordinals?.start),
    validateReplicated(spec, rules),
    validateLasting('spec.template', spec.template, 'StatefulSet'),
  )
}

export function validateStatefulSetUpdate(after: StatefulSet, before: StatefulSet): readonly FieldError[] {
  if (deepEqual(fixedPart(after.spec), fixedPart(before.spec))) return []
  return [
    forbiddenField(
      'spec',
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    ),
  ]
}

function fixedPart(spec: StatefulSetSpec): unknown {
  const { replicas, ordinals, template, updateStrategy, persistentVolumeClaimRetentionPolicy, ...rest } = spec
  const { minReadySeconds, ...fixed } = rest
  return fixed
}

export function validateStatefulSetStatus({ status }: StatefulSet, before: StatefulSet): readonly FieldError[] {
  const { replicas, readyReplicas, currentReplicas, updatedReplicas, availableReplicas } = status
  const { observedGeneration, collisionCount } = status
  const counts = { replicas, readyReplicas, currentReplicas, updatedReplicas, availableReplicas }
  return allErrors(
    validateCounts({ ...counts, observedGeneration, collisionCount }),
    validateParts({ readyReplicas, currentReplicas, updatedReplicas, availableReplicas }, replicas),
    validateAvailable(availableReplicas, readyReplicas, 'status.readyReplicas'),
    checkCollisions(status, before.status),
  )
}

function validatePodManagement(field: string, policy: string): readonly FieldError[] {
  if (policy === '') return [requiredField(field)]
  if (policy === 'OrderedReady' || policy === 'Parallel') return []
  return [invalidField(field, policy, "must be 'OrderedReady' or 'Parallel'")]
}

function validateStrategy(field: string, strategy: StatefulSetUpdateStrategy): readonly FieldError[] {
  const { type = '', rollingUpdate } = strategy
  switch (type) {
    case '':
      return [requiredField(field)]
    case 'OnDelete':
      if (rollingUpdate === undefined) return []
      return [invalidField(`${field}.rollingUpdate`, rollingUpdate, "only allowed for updateStrategy 'RollingUpdate'")]
    case 'RollingUpdate':
      return validateRollingUpdate(`${field}.rollingUpdate`, rollingUpdate ?? {})
    default:
      return [invalidField(field, strategy, "must be 'RollingUpdate' or 'OnDelete'")]
  }
}

function validateRollingUpdate(
  field: string,
  { partition, maxUnavailable }: RollingUpdateStatefulSetStrategy,
): readonly FieldError[] {
  const isNone = maxUnavailable !== undefined && isNoneOf(maxUnavailable)
  return allErrors(
    checkNotNegative(`${field}.partition`, partition),
    checkIntOrPercent(`${field}.maxUnavailable`, maxUnavailable),
    isNone ? [invalidPrinted(`${field}.maxUnavailable`, goIntOrString(maxUnavailable), 'cannot be 0')] : [],
    checkAtMostWhole(`${field}.maxUnavailable`, maxUnavailable),
  )
}

function validateRetention({
  persistentVolumeClaimRetentionPolicy: policy = {},
}: StatefulSetSpec): readonly FieldError[] {
  return (['whenDeleted', 'whenScaled'] as const).flatMap((member) => {
    const value = policy[member] ?? ''
    if (value === 'Retain' || value === 'Delete') return []
    return [notSupportedField(`spec.persistentVolumeClaimRetentionPolicy.${member}`, value, ['Retain', 'Delete'])]
  })
}
