import {
  allErrors,
  errorsOfEach,
  type FieldError,
  forbiddenField,
  invalidField,
  invalidFieldAs,
  requiredField,
} from '../../field-error.ts'
import { goQuantity } from '../../human/go-quantity.ts'
import { nanosOf, parseQuantity, printQuantity, quantityOf } from '../../quantity.ts'
import type { ResourceRequirements } from '../../types/core-v1.ts'
import { checkContainerResourceName, isExtendedResource } from './resource-name-check.ts'
import { countedResources, isHugePage, isNativeResource } from './resource-names.ts'

export type NamedAmounts = NonNullable<ResourceRequirements['limits']>

const whole = 1_000_000_000n
const thousandth = whole / 1000n

/** The requests and limits of a container. */
export function validateResources(field: string, { limits = {}, requests = {} }: ResourceRequirements) {
  const names = [...Object.keys(limits), ...Object.keys(requests)]
  if (names.length === 0) return []
  const needsMore = names.some(isHugePage) && !names.some((name) => name === 'cpu' || name === 'memory')
  return allErrors(
    errorsOfEach(Object.entries(limits), ([name, amount]) =>
      allErrors(
        checkContainerResourceName(`${field}.limits[${name}]`, name),
        validateAmount(`${field}.limits[${name}]`, name, amount),
        validatePages(`${field}.limits[${name}]`, name, amount),
      ),
    ),
    errorsOfEach(Object.entries(requests), ([name, amount]) =>
      allErrors(
        checkContainerResourceName(`${field}.requests[${name}]`, name),
        validateAmount(`${field}.requests[${name}]`, name, amount),
        validateWithin(field, name, amount, limits[name]),
        validatePages(`${field}.requests[${name}]`, name, amount),
      ),
    ),
    needsMore ? [forbiddenField(field, 'HugePages require cpu or memory')] : [],
  )
}

export function validateAmount(field: string, name: string, amount: string | number): readonly FieldError[] {
  const nanos = nanosOf(amount)
  return allErrors(
    nanos < 0n ? [invalidField(field, written(amount), 'must be greater than or equal to 0')] : [],
    isWhole(name) && (nanos / thousandth) % 1000n !== 0n
      ? [invalidFieldAs(field, goQuantity(amount), 'must be an integer')]
      : [],
  )
}

/** Some resources cannot be overcommitted: request and limit must be equal. */
function validateWithin(
  field: string,
  name: string,
  request: string | number,
  limit: string | number | undefined,
): readonly FieldError[] {
  const isExact = !isNativeResource(name) || isHugePage(name)
  if (limit === undefined) {
    return isExact ? [requiredField(`${field}.limits`, 'Limit must be set for non overcommitable resources')] : []
  }
  const [asked, allowed] = [nanosOf(request), nanosOf(limit)]
  const told = (relation: string) => [
    invalidField(`${field}.requests`, written(request), `must be ${relation} ${name} limit of ${written(limit)}`),
  ]
  if (isExact) return asked === allowed ? [] : told('equal to')
  return asked > allowed ? told('less than or equal to') : []
}

/** Huge pages are whole. Their size is part of their name. */
function validatePages(field: string, name: string, amount: string | number): readonly FieldError[] {
  if (!isHugePage(name) || isDivisible(nanosOf(amount), name.slice('hugepages-'.length))) return []
  return [invalidField(field, written(amount), `${written(amount)} is not positive integer multiple of ${name}`)]
}

function isDivisible(nanos: bigint, pageSize: string): boolean {
  const size = parseQuantity(pageSize)
  if ('problem' in size || size.nanos <= 0n || (size.nanos / thousandth) % 1000n !== 0n) return false
  return roundedUp(nanos) % roundedUp(size.nanos) === 0n
}

function roundedUp(nanos: bigint): bigint {
  return (nanos + (nanos < 0n ? 0n : whole - 1n)) / whole
}

/** Counted resources, and those from domains other than Kubernetes'. */
function isWhole(name: string): boolean {
  return countedResources.has(name) || (!isNativeResource(name) && isExtendedResource(name))
}

function written(amount: string | number): string {
  return printQuantity(quantityOf(amount))
}
