import {
  allErrors,
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  invalidFieldAs,
  requiredField,
} from '../../field-error.ts'
import { goQuantity } from '../../human/go-quantity.ts'
import { validateQualifiedName } from '../../names.ts'
import { nanosOf } from '../../quantity.ts'
import type { LimitRange, LimitRangeItem } from '../../types/core-v1.ts'
import { checkContainerResourceName, checkResourceName } from '../amounts/resource-name-check.ts'
import { isHugePage, isNativeResource } from '../amounts/resource-names.ts'
import { checkEach } from '../field-checks.ts'
import { repeated } from '../repeated.ts'

type Amount = string | number
type Amounts = Readonly<Record<string, Amount>>

const one = 1_000_000_000n
const types = ['Container', 'PersistentVolumeClaim', 'Pod']

export function validateLimitRange({ spec }: LimitRange): readonly FieldError[] {
  const limits = spec.limits ?? []
  const isTaken = repeated(limits.map(({ type }) => type))
  return limits.flatMap((item, index) => {
    const field = `spec.limits[${index}]`
    return allErrors(
      checkType(`${field}.type`, item.type),
      isTaken[index] ? [duplicateField(`${field}.type`, item.type)] : [],
      validateNames(field, item),
      validateAmounts(field, item),
    )
  })
}

function checkType(field: string, type: string): readonly FieldError[] {
  const problems = validateQualifiedName(type)
  if (problems.length > 0) return checkEach(field, type, problems)
  if (type.includes('/') || types.includes(type)) return []
  return [invalidField(field, type, 'must be a standard limit type or fully qualified')]
}

function validateNames(field: string, item: LimitRangeItem): readonly FieldError[] {
  const check = item.type === 'Pod' || item.type === 'Container' ? checkContainerResourceName : checkResourceName
  const checked = (member: 'max' | 'min' | 'default' | 'defaultRequest' | 'maxLimitRequestRatio') =>
    Object.keys(item[member] ?? {}).flatMap((name) => check(`${field}.${member}[${name}]`, name))
  return allErrors(
    checked('max'),
    checked('min'),
    item.type === 'Pod' ? refuseDefaults(field, item) : [...checked('default'), ...checked('defaultRequest')],
    requireStorage(field, item),
    checked('maxLimitRequestRatio'),
  )
}

function refuseDefaults(field: string, item: LimitRangeItem): readonly FieldError[] {
  return (['default', 'defaultRequest'] as const)
    .filter((member) => item[member] !== undefined)
    .map((member) => forbiddenField(`${field}.${member}`, "may not be specified when `type` is 'Pod'"))
}

function requireStorage(field: string, { type, min, max }: LimitRangeItem): readonly FieldError[] {
  if (type !== 'PersistentVolumeClaim' || min?.storage !== undefined || max?.storage !== undefined) return []
  return [
    requiredField(`${field}.limits`, 'either minimum or maximum storage value is required, but neither was provided'),
  ]
}

function validateAmounts(field: string, item: LimitRangeItem): readonly FieldError[] {
  const { min = {}, max = {}, maxLimitRequestRatio: ratio = {} } = item
  const defaults: Partial<LimitRangeItem> = item.type === 'Pod' ? {} : item
  const { default: limit = {}, defaultRequest: request = {} } = defaults
  const names = new Set([max, min, limit, request, ratio].flatMap((amounts) => Object.keys(amounts)))
  return [...names]
    .sort()
    .flatMap((name) =>
      allErrors(
        compare(field, name, ['min', min], ['max', max], 'min value', 'max value'),
        compare(field, name, ['defaultRequest', min], ['', request], 'min value', 'default request value', request),
        compare(field, name, ['defaultRequest', request], ['', max], 'default request value', 'max value'),
        compare(field, name, ['defaultRequest', request], ['', limit], 'default request value', 'default limit value'),
        compare(field, name, ['default', min], ['', limit], 'min value', 'default value'),
        compare(field, name, ['default', limit], ['', max], 'default value', 'max value', max),
        validateRatio(`${field}.maxLimitRequestRatio[${name}]`, ratio[name], min[name], max[name]),
        requireEqual(`${field}.defaultRequest[${name}]`, name, limit[name], request[name]),
      ),
    )
}

/** Returns an error if the left amount exceeds the right one. `shown` is the one with which the message starts. */
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
  return [invalidFieldAs(`${field}.${member}[${name}]`, goQuantity(shown[name] ?? 0), detail)]
}

function validateRatio(
  field: string,
  ratio: Amount | undefined,
  min: Amount | undefined,
  max: Amount | undefined,
): readonly FieldError[] {
  if (ratio === undefined) return []
  const problems = nanosOf(ratio) < one ? [`ratio ${ratio} is less than 1`] : []
  if (min !== undefined && max !== undefined) {
    const most = Number(nanosOf(max)) / Number(nanosOf(min))
    if (Number(nanosOf(ratio)) / Number(one) > most) {
      problems.push(`ratio ${ratio} is greater than max/min = ${most.toFixed(6)}`)
    }
  }
  return problems.map((problem) => invalidFieldAs(field, goQuantity(ratio), problem))
}

/** For resources that cannot be overcommitted, request and limit must be equal. */
function requireEqual(
  field: string,
  name: string,
  limit: Amount | undefined,
  request: Amount | undefined,
): readonly FieldError[] {
  if (limit === undefined || request === undefined || nanosOf(limit) === nanosOf(request)) return []
  if (isNativeResource(name) && !isHugePage(name)) return []
  const detail = `default value ${limit} must equal to defaultRequest value ${request} in ${name}`
  return [invalidFieldAs(field, goQuantity(request), detail)]
}
