import type { Container, PodSpec } from './pod-types.ts'
import { quantityValue } from './quantity.ts'

const computeResources = ['cpu', 'memory']

/** Who is pushed out first when a node runs short: those that asked for nothing, then those that may use more than they asked for. */
export function qosClassOf(spec: PodSpec): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
  const asksForNothing = containers.every(({ resources }) => !isAsked(resources.requests) && !isAsked(resources.limits))
  if (asksForNothing) return 'BestEffort'
  return containers.every(hasFixedResources) ? 'Guaranteed' : 'Burstable'
}

function isAsked(amounts: Readonly<Record<string, string | number>> = {}): boolean {
  return computeResources.some((name) => quantityValue(amounts[name] ?? 0) > 0)
}

/** Exactly what it asks for is what it may use, of both resources. */
function hasFixedResources({ resources: { limits = {}, requests = {} } }: Container): boolean {
  return computeResources.every((name) => {
    const limit = quantityValue(limits[name] ?? 0)
    return limit > 0 && quantityValue(requests[name] ?? limits[name] ?? 0) === limit
  })
}
