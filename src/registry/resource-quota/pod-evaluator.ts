import type { Pod } from '../../api/types/core-v1.ts'
import { type Amounts, sumOf } from '../amounts.ts'
import type { Evaluator } from './contract.ts'
import { type PodResources, podResources } from './pod-resources.ts'
import { podScopes } from './pod-scopes.ts'

const compute = ['cpu', 'memory', 'ephemeral-storage']
const names: ReadonlySet<string> = new Set([
  'count/pods',
  'pods',
  ...compute,
  ...compute.map((name) => `requests.${name}`),
  ...compute.map((name) => `limits.${name}`),
])

/** What every container must specify where a quota limits it. */
const requiredNames: ReadonlySet<string> = new Set([
  ...['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'],
])

/** Pods, and the requests and limits of their containers. A finished pod only counts as an object. */
export const podEvaluator: Evaluator = {
  measures: (name) => names.has(name) || isHugePages(name) || isExtended(name),
  usage: (object) => {
    const pod = object as Pod
    if (hasEnded(pod)) return { 'count/pods': '1' }
    return { 'count/pods': '1', pods: '1', ...namedUsage(podResources(pod.spec)) }
  },
  grows: false,
  growsUnder: 'resize',
  missing: (object, limited) => {
    const required = limited.filter((name) => requiredNames.has(name))
    return required.length === 0 ? undefined : missingIn(object as Pod, required)
  },
  scopesOf: (object) => podScopes(object as Pod),
}

function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-') || name.startsWith('requests.hugepages-')
}

/** Extended resources, by their domain. */
function isExtended(name: string): boolean {
  return name.startsWith('requests.') && name.includes('/') && !name.includes('kubernetes.io/')
}

function hasEnded({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed'
}

/** Amounts under the names that quotas use. */
function namedUsage({ requests, limits }: PodResources): Amounts {
  const named: [string, string | number][] = []
  for (const [name, amount] of Object.entries(requests)) {
    if (compute.includes(name) || name.startsWith('hugepages-')) named.push([name, amount])
    named.push([`requests.${name}`, amount])
  }
  for (const name of compute) {
    const { [name]: limit } = limits
    if (limit !== undefined) named.push([`limits.${name}`, limit])
  }
  return sumOf(named.map(([name, amount]) => ({ [name]: amount })))
}

function missingIn({ spec }: Pod, required: readonly string[]): string | undefined {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
  const told = required.toSorted().flatMap((name) => {
    const without = containers.filter(({ resources: { requests = {}, limits = {} } }) => {
      return !(name in namedUsage({ requests, limits }))
    })
    return without.length === 0
      ? []
      : [
          `${name} for: ${without
            .map((container) => container.name)
            .toSorted()
            .join(',')}`,
        ]
  })
  return told.length === 0 ? undefined : `must specify ${told.join('; ')}`
}
