import { deepEqual } from '../../base/equal.ts'
import { checkNotNegative } from '../core/field-checks.ts'
import { checkAtMostWhole, checkIntOrPercent, isNoneOf } from '../core/int-or-percent.ts'
import { validateLastingTemplate } from '../core/pods/pod-template.ts'
import { invalidPrinted } from '../core/printed-errors.ts'
import { checkCollisions, validateAvailable, validateCounts, validateParts } from '../core/replica-status.ts'
import {
  allErrors,
  type FieldError,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
} from '../field-error.ts'
import { goIntOrString } from '../human/go-syntax.ts'
import type { Deployment, DeploymentStrategy, RollingUpdateDeployment } from '../types/apps-v1.ts'
import { type ReplicatedRules, validateReplicated } from './replica-checks.ts'

export const replicaSetRules: ReplicatedRules = {
  emptySelectorFor: 'deployment',
  badSelector: 'invalid label selector',
  validateTemplate: (template) => validateLastingTemplate('spec.template', template, 'ReplicaSet'),
}

export function validateDeployment({ spec }: Deployment): readonly FieldError[] {
  return allErrors(
    checkNotNegative('spec.replicas', spec.replicas),
    validateReplicated(spec, replicaSetRules),
    validateStrategy('spec.strategy', spec.strategy),
    checkNotNegative('spec.minReadySeconds', spec.minReadySeconds),
    checkNotNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
    validateDeadline(spec.progressDeadlineSeconds, spec.minReadySeconds),
  )
}

export function validateDeploymentUpdate(after: Deployment, before: Deployment): readonly FieldError[] {
  return checkSameSelector(after.spec.selector, before.spec.selector)
}

/** The selector never changes: pods that it once selected would be left behind. */
export function checkSameSelector(after: unknown, before: unknown): readonly FieldError[] {
  return deepEqual(after, before) ? [] : [invalidField('spec.selector', after, 'field is immutable')]
}

export function validateDeploymentStatus({ status }: Deployment, before: Deployment): readonly FieldError[] {
  const { observedGeneration, replicas = 0, updatedReplicas, readyReplicas, availableReplicas } = status
  const { unavailableReplicas, collisionCount } = status
  const counts = { observedGeneration, replicas, updatedReplicas, readyReplicas, availableReplicas }
  return allErrors(
    validateCounts({ ...counts, unavailableReplicas, collisionCount }),
    validateParts({ updatedReplicas, readyReplicas, availableReplicas }, replicas),
    validateAvailable(availableReplicas, readyReplicas),
    checkCollisions(status, before.status),
  )
}

function validateStrategy(field: string, strategy: DeploymentStrategy): readonly FieldError[] {
  const { type = '', rollingUpdate } = strategy
  switch (type) {
    case 'Recreate':
      if (rollingUpdate === undefined) return []
      return [forbiddenField(`${field}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")]
    case 'RollingUpdate':
      return rollingUpdate === undefined
        ? [requiredField(`${field}.rollingUpdate`, 'this should be defaulted and never be nil')]
        : validateRollingUpdate(`${field}.rollingUpdate`, rollingUpdate)
    default:
      return [notSupportedField(field, strategy, ['Recreate', 'RollingUpdate'])]
  }
}

function validateRollingUpdate(
  field: string,
  { maxUnavailable = 0, maxSurge = 0 }: RollingUpdateDeployment,
): readonly FieldError[] {
  const isStuck = isNoneOf(maxUnavailable) && isNoneOf(maxSurge)
  return allErrors(
    checkIntOrPercent(`${field}.maxUnavailable`, maxUnavailable),
    checkIntOrPercent(`${field}.maxSurge`, maxSurge),
    isStuck
      ? [invalidPrinted(`${field}.maxUnavailable`, goIntOrString(maxUnavailable), 'may not be 0 when `maxSurge` is 0')]
      : [],
    checkAtMostWhole(`${field}.maxUnavailable`, maxUnavailable),
  )
}

function validateDeadline(deadline: number | undefined, minReadySeconds = 0): readonly FieldError[] {
  const field = 'spec.progressDeadlineSeconds'
  if (deadline === undefined) return []
  return allErrors(
    checkNotNegative(field, deadline),
    deadline > minReadySeconds ? [] : [invalidField(field, deadline, 'must be greater than minReadySeconds')],
  )
}
