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
  const [lowest, highest] = [named('min value', min), named('max value', max)]
  const usualRequest = named('default request value', request)
  const orders: readonly Order[] = [
    { member: 'min', low: lowest, high: highest, shown: min },
    { member: 'defaultRequest', low: lowest, high: usualRequest, shown: request },
    { member: 'defaultRequest', low: usualRequest, high: highest, shown: request },
    { member: 'defaultRequest', low: usualRequest, high: named('default limit value', limit), shown: request },
    { member: 'default', low: lowest, high: named('default value', limit), shown: min },
    { member: 'default', low: named('default value', limit), high: highest, shown: max },
  ]
  return [...names]
    .sort()
    .flatMap((name) =>
      allErrors(
        ...orders.map((order) => requireOrder(field, name, order)),
        validateRatio(`${field}.maxLimitRequestRatio[${name}]`, ratio[name], min[name], max[name]),
        requireEqual(`${field}.defaultRequest[${name}]`, name, limit[name], request[name]),
      ),
    )
}

/** Amounts, and what messages call them. */
interface NamedAmounts {
  readonly words: string
  readonly amounts: Amounts
}

/** Amounts that must not exceed others. */
interface Order {
  /** Where the error is reported. */
  readonly member: 'min' | 'default' | 'defaultRequest'
  readonly low: NamedAmounts
  readonly high: NamedAmounts
  /** The amounts whose value the message starts with. */
  readonly shown: Amounts
}

function named(words: string, amounts: Amounts): NamedAmounts {
  return { words, amounts }
}

function requireOrder(field: string, name: string, { member, low, high, shown }: Order): readonly FieldError[] {
  const least = low.amounts[name]
  const most = high.amounts[name]
  if (least === undefined || most === undefined || nanosOf(least) <= nanosOf(most)) return []
  const detail = `${low.words} ${least} is greater than ${high.words} ${most}`
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
