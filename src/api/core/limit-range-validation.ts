import { duplicateField, type FieldError, forbiddenField, invalidField, requiredField } from '../field-error.ts'
import { nanosOf } from '../quantity.ts'
import type { LimitRange, LimitRangeItem } from '../types/core-v1.ts'
import { checkQualifiedName } from './field-checks.ts'
import { repeated } from './repeated.ts'

type Amounts = Readonly<Record<string, string | number>>

const one = 1_000_000_000n

export function validateLimitRange({ spec }: LimitRange): readonly FieldError[] {
  const limits = spec.limits ?? []
  const isTaken = repeated(limits.map(({ type }) => type))
  return limits.flatMap((item, index) => {
    const field = `spec.limits[${index}]`
    return [
      ...checkQualifiedName(`${field}.type`, item.type),
      ...(isTaken[index] ? [duplicateField(`${field}.type`, item.type)] : []),
      ...validateItem(field, item),
    ]
  })
}

function validateItem(field: string, item: LimitRangeItem): readonly FieldError[] {
  const {
    min = {},
    max = {},
    default: limit = {},
    defaultRequest: request = {},
    maxLimitRequestRatio: ratio = {},
  } = item
  const names = new Set([max, min, limit, request, ratio].flatMap((amounts) => Object.keys(amounts)))
  return [
    ...(item.type === 'Pod' ? validatePodItem(field, item) : []),
    ...(item.type === 'PersistentVolumeClaim' && min.storage === undefined && max.storage === undefined
      ? [
          requiredField(
            `${field}.limits`,
            'either minimum or maximum storage value is required, but neither was provided',
          ),
        ]
      : []),
    ...[...names]
      .sort()
      .flatMap((name) => [
        ...compare(field, name, ['min', min], ['max', max], 'min value', 'max value'),
        ...compare(field, name, ['defaultRequest', min], ['', request], 'min value', 'default request value', request),
        ...compare(field, name, ['defaultRequest', request], ['', max], 'default request value', 'max value'),
        ...compare(
          field,
          name,
          ['defaultRequest', request],
          ['', limit],
          'default request value',
          'default limit value',
        ),
        ...compare(field, name, ['default', min], ['', limit], 'min value', 'default value'),
        ...compare(field, name, ['default', limit], ['', max], 'default value', 'max value', max),
        ...validateRatio(`${field}.maxLimitRequestRatio[${name}]`, ratio[name]),
      ]),
  ]
}

function validatePodItem(field: string, item: LimitRangeItem): readonly FieldError[] {
  return (['default', 'defaultRequest'] as const)
    .filter((member) => item[member] !== undefined)
    .map((member) => forbiddenField(`${field}.${member}`, "may not be specified when `type` is 'Pod'"))
}

/** Complains when the left amount is above the right one. `shown` is the one that the message starts with. */
function compare(
  field: string,
  name: string,
  [member, left]: readonly [string, Amounts],
  [, right]: readonly [string, Amounts],
  leftWords: string,
  rightWords: string,
  shown: Amounts = left,
): readonly FieldError[] {
  const low = left[name]
  const high = right[name]
  if (low === undefined || high === undefined || nanosOf(low) <= nanosOf(high)) return []
  const detail = `${leftWords} ${low} is greater than ${rightWords} ${high}`
  return [invalidField(`${field}.${member}[${name}]`, String(shown[name]), detail)]
}

function validateRatio(field: string, ratio: string | number | undefined): readonly FieldError[] {
  if (ratio === undefined || nanosOf(ratio) >= one) return []
  return [invalidField(field, String(ratio), `ratio ${ratio} is less than 1`)]
}
