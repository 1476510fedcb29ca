import { nanosOf } from '../../../api/quantity.ts'
import type { LimitRangeItem } from '../../../api/types/core-v1.ts'
import { type Amounts, printedAmount } from '../../amounts.ts'

/** Requests and limits of a container, a pod or a claim. */
export interface Usage {
  readonly requests: Amounts
  readonly limits: Amounts
}

/** All violations of the rules for objects of this type. */
export function limitViolations(usage: Usage, rules: LimitRangeItem): readonly string[] {
  const { type, min = {}, max = {}, maxLimitRequestRatio: ratios = {} } = rules
  return [
    ...eachOf(min, (name, bound) => belowMinimum(type, name, bound, usage)),
    ...eachOf(max, (name, bound) => aboveMaximum(type, name, bound, usage)),
    ...eachOf(ratios, (name, bound) => aboveRatio(type, name, bound, usage)),
  ]
}

/** A storage claim has requests but no limits. */
export function claimViolations(requests: Amounts, { type, min = {}, max = {} }: LimitRangeItem): readonly string[] {
  return [
    ...eachOf(min, (name, bound) => belowMinimum(type, name, bound, { requests, limits: {} })),
    ...eachOf(max, (name, bound) => aboveMaximum(type, name, bound, { requests, limits: requests }, 'request')),
  ]
}

function eachOf(bounds: Amounts, check: (name: string, bound: string | number) => string | undefined) {
  return Object.keys(bounds)
    .sort()
    .flatMap((name) => check(name, bounds[name] ?? 0) ?? [])
}

function belowMinimum(type: string, name: string, bound: string | number, usage: Usage): string | undefined {
  const rule = `minimum ${name} usage per ${type} is ${printedAmount(bound)}`
  const { [name]: request } = usage.requests
  const { [name]: limit } = usage.limits
  if (request === undefined) return `${rule}.  No request is specified`
  if (nanosOf(request) < nanosOf(bound)) return `${rule}, but request is ${printedAmount(request)}`
  if (limit !== undefined && nanosOf(limit) < nanosOf(bound)) return `${rule}, but limit is ${printedAmount(limit)}`
  return undefined
}

function aboveMaximum(
  type: string,
  name: string,
  bound: string | number,
  usage: Usage,
  limitIs = 'limit',
): string | undefined {
  const rule = `maximum ${name} usage per ${type} is ${printedAmount(bound)}`
  const { [name]: request } = usage.requests
  const { [name]: limit } = usage.limits
  if (limit === undefined) return `${rule}.  No ${limitIs} is specified`
  if (nanosOf(limit) > nanosOf(bound)) return `${rule}, but ${limitIs} is ${printedAmount(limit)}`
  if (request !== undefined && nanosOf(request) > nanosOf(bound))
    return `${rule}, but request is ${printedAmount(request)}`
  return undefined
}

function aboveRatio(type: string, name: string, bound: string | number, usage: Usage): string | undefined {
  const rule = `${name} max limit to request ratio per ${type} is ${printedAmount(bound)}`
  const request = nanosOf(usage.requests[name] ?? 0)
  const limit = nanosOf(usage.limits[name] ?? 0)
  if (request === 0n) return `${rule}, but no request is specified or request is 0`
  if (limit === 0n) return `${rule}, but no limit is specified or limit is 0`
  const ratio = Number(limit) / Number(request)
  return limit * 1_000_000_000n > nanosOf(bound) * request
    ? `${rule}, but provided ratio is ${ratio.toFixed(6)}`
    : undefined
}
