import { type FieldError, forbiddenField, invalidField, invalidFieldAs, requiredField } from '../field-error.ts'
import { goQuantity } from '../human/go-quantity.ts'
import { validateQualifiedName } from '../names.ts'
import { nanosOf } from '../quantity.ts'
import type { ResourceRequirements } from '../types/core-v1.ts'
import { checkEach } from './field-checks.ts'
import { countedResources, isContainerResource, isHugePage } from './resource-names.ts'

export type Amounts = NonNullable<ResourceRequirements['limits']>

const whole = 1_000_000_000n

/** What a container asks for, and at most may use. */
export function validateResources(field: string, { limits = {}, requests = {} }: ResourceRequirements) {
  const names = [...Object.keys(limits), ...Object.keys(requests)]
  const needsMore = names.some(isHugePage) && !names.some((name) => name === 'cpu' || name === 'memory')
  return [
    ...validateAmounts(`${field}.limits`, limits),
    ...validateAmounts(`${field}.requests`, requests),
    ...Object.keys(requests).flatMap((name) => validateWithin(field, name, limits, requests)),
    ...(needsMore ? [forbiddenField(field, 'HugePages require cpu or memory')] : []),
  ]
}

function validateAmounts(field: string, amounts: Amounts): readonly FieldError[] {
  return Object.entries(amounts).flatMap(([name, amount]) => {
    return [...validateName(field, name), ...validateAmount(`${field}[${name}]`, name, amount)]
  })
}

export function validateAmount(field: string, name: string, amount: string | number): readonly FieldError[] {
  const nanos = nanosOf(amount)
  if (nanos < 0n) return [invalidField(field, String(amount), 'must be greater than or equal to 0')]
  return (isExtended(name) || countedResources.has(name)) && nanos % whole !== 0n
    ? [invalidFieldAs(field, goQuantity(amount), 'must be an integer')]
    : []
}

function validateName(field: string, name: string): readonly FieldError[] {
  const problems = validateQualifiedName(name)
  if (problems.length > 0) return checkEach(field, name, problems)
  if (name.includes('/') || isContainerResource(name)) return []
  return [
    invalidField(field, name, 'must be a standard resource type or fully qualified'),
    invalidField(field, name, 'must be a standard resource for containers'),
  ]
}

/** Some resources cannot be promised to more than one: what is asked for is what is allowed. */
function validateWithin(field: string, name: string, limits: Amounts, requests: Amounts): readonly FieldError[] {
  const [limit, request] = [limits[name], requests[name]]
  const isExact = isExtended(name) || isHugePage(name)
  if (limit === undefined || request === undefined) {
    return isExact ? [requiredField(`${field}.limits`, 'Limit must be set for non overcommitable resources')] : []
  }
  if (nanosOf(request) > nanosOf(limit)) {
    const problem = `must be less than or equal to ${name} limit of ${limit}`
    return [invalidField(`${field}.requests`, String(request), problem)]
  }
  return isExact && nanosOf(request) !== nanosOf(limit)
    ? [invalidField(`${field}.requests`, String(request), `must be equal to ${name} limit of ${limit}`)]
    : []
}

/** Of a domain that is not Kubernetes' own. */
function isExtended(name: string): boolean {
  return name.includes('/') && !name.split('/')[0]?.endsWith('kubernetes.io')
}
