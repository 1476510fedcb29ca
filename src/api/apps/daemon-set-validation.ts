import { checkNotNegative } from '../core/field-checks.ts'
import { checkAtMostWhole, checkIntOrPercent, isNoneOf } from '../core/int-or-percent.ts'
import { checkSelected, isEmptySelector, selectionOf, validateLastingTemplate } from '../core/pods/pod-template.ts'
import { invalidPrinted } from '../core/printed-errors.ts'
import { checkCollisions } from '../core/replica-status.ts'
import { allErrors, type FieldError, invalidField, notSupportedField, requiredField } from '../field-error.ts'
import { goIntOrString } from '../human/go-syntax.ts'
import { validateLabelSelector } from '../selectors/label-selector-object.ts'
import type { DaemonSet, DaemonSetUpdateStrategy, RollingUpdateDaemonSet } from '../types/apps-v1.ts'
import type { LabelSelector } from '../types/meta-v1.ts'

export function validateDaemonSet({ spec }: DaemonSet): readonly FieldError[] {
  const selector: LabelSelector | undefined = spec.selector
  const selects = selectionOf(selector)
  return allErrors(
    selector === undefined ? [] : validateLabelSelector('spec.selector', selector),
    selects === undefined ? [] : checkSelected('spec.template', selects, spec.template),
    selector !== undefined && isEmptySelector(selector)
      ? [invalidField('spec.selector', selector, 'empty selector is invalid for daemonset')]
      : [],
    validateLastingTemplate('spec.template', spec.template, 'DaemonSet'),
    checkNotNegative('spec.minReadySeconds', spec.minReadySeconds),
    validateStrategy('spec.updateStrategy', spec.updateStrategy),
    checkNotNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
  )
}

export function validateDaemonSetStatus({ status }: DaemonSet, before: DaemonSet): readonly FieldError[] {
  const names = [
    'currentNumberScheduled',
    'numberMisscheduled',
    'desiredNumberScheduled',
    'numberReady',
    'observedGeneration',
    'updatedNumberScheduled',
    'numberAvailable',
    'numberUnavailable',
    'collisionCount',
  ] as const
  return allErrors(
    names.flatMap((name) => checkNotNegative(`status.${name}`, status[name])),
    checkCollisions(status, before.status),
  )
}

function validateStrategy(field: string, strategy: DaemonSetUpdateStrategy): readonly FieldError[] {
  switch (strategy.type) {
    case 'OnDelete':
      return []
    case 'RollingUpdate':
      return strategy.rollingUpdate === undefined
        ? [requiredField(`${field}.rollingUpdate`)]
        : validateRollingUpdate(`${field}.rollingUpdate`, strategy.rollingUpdate)
    default:
      return [notSupportedField(field, strategy, ['RollingUpdate', 'OnDelete'])]
  }
}

function validateRollingUpdate(
  field: string,
  { maxUnavailable = 0, maxSurge = 0 }: RollingUpdateDaemonSet,
): readonly FieldError[] {
  return allErrors(
    checkIntOrPercent(`${field}.maxUnavailable`, maxUnavailable),
    checkIntOrPercent(`${field}.maxSurge`, maxSurge),
    checkAtMostWhole(`${field}.maxUnavailable`, maxUnavailable),
    checkAtMostWhole(`${field}.maxSurge`, maxSurge),
    checkOneIsSet(field, maxUnavailable, maxSurge),
  )
}

/** Either a pod is deleted before its successor is created, or vice versa. */
function checkOneIsSet(
  field: string,
  maxUnavailable: number | string,
  maxSurge: number | string,
): readonly FieldError[] {
  if (isNoneOf(maxUnavailable) !== isNoneOf(maxSurge)) return []
  return isNoneOf(maxSurge)
    ? [requiredField(`${field}.maxUnavailable`, 'cannot be 0 when maxSurge is 0')]
    : [invalidPrinted(`${field}.maxSurge`, goIntOrString(maxSurge), 'may not be set when maxUnavailable is non-zero')]
}
