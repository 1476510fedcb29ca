import { parseQuantity } from '../../quantity.ts'
import type { Container, PodSpec, ResourceRequirements } from '../../types/core-v1.ts'

const computeResources = ['cpu', 'memory']

/**
 * Who is evicted first when a node runs short: pods without requests, then those that may use more than they requested.
 */
export function qosClassOf(spec: PodSpec): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
  const asksForNothing = containers.every(({ resources }) => !isAsked(resources.requests) && !isAsked(resources.limits))
  if (asksForNothing) return 'BestEffort'
  return containers.every(hasFixedResources) ? 'Guaranteed' : 'Burstable'
}

function isAsked(amounts: ResourceRequirements['limits'] = {}): boolean {
  return computeResources.some((name) => amountOf(amounts[name]) > 0n)
}

/** Requests equal limits, for both resources. */
function hasFixedResources({ resources: { limits = {}, requests = {} } }: Container): boolean {
  return computeResources.every((name) => {
    const limit = amountOf(limits[name])
    return limit > 0n && amountOf(requests[name] ?? limits[name]) === limit
  })
}

function amountOf(quantity: string | number = 0): bigint {
  const parsed = parseQuantity(String(quantity))
  return 'problem' in parsed ? 0n : parsed.nanos
}
