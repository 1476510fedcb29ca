import type { Container, LimitRangeItem, Pod } from '../../../api/types/core-v1.ts'
import type { Amounts } from '../../amounts.ts'
import { withSpec } from '../pods.ts'

const annotation = 'kubernetes.io/limit-ranger'

/** Containers without requests or limits get the defaults of their namespace, and an annotation of the pod records it. */
export function withDefaults(pod: Pod, rules: readonly LimitRangeItem[]): Pod {
  const requests: Amounts = Object.assign({}, ...rules.map(({ defaultRequest }) => defaultRequest))
  const limits: Amounts = Object.assign({}, ...rules.map((rule) => rule.default))
  const notes: string[] = []
  const filled = (what: string) => (container: Container) => {
    const missing = {
      requests: namesNotIn(requests, container.resources.requests),
      limits: namesNotIn(limits, container.resources.limits),
    }
    if (missing.requests.length > 0) notes.push(`${missing.requests.join(', ')} request for ${what} ${container.name}`)
    if (missing.limits.length > 0) notes.push(`${missing.limits.join(', ')} limit for ${what} ${container.name}`)
    return withAmounts(container, requests, limits)
  }
  const containers = pod.spec.containers?.map(filled('container')) ?? null
  const { initContainers } = pod.spec
  const init = initContainers === undefined ? {} : { initContainers: initContainers.map(filled('init container')) }
  if (notes.length === 0) return pod
  const annotations = { ...pod.metadata.annotations, [annotation]: `LimitRanger plugin set: ${notes.join('; ')}` }
  return withSpec({ ...pod, metadata: { ...pod.metadata, annotations } }, { containers, ...init })
}

function namesNotIn(amounts: Amounts, given: Amounts = {}): readonly string[] {
  return Object.keys(amounts)
    .filter((name) => given[name] === undefined)
    .sort()
}

function withAmounts(container: Container, requests: Amounts, limits: Amounts): Container {
  const filled = {
    limits: { ...limits, ...container.resources.limits },
    requests: { ...requests, ...container.resources.requests },
  }
  return {
    ...container,
    resources: {
      ...container.resources,
      ...(Object.keys(filled.limits).length > 0 && { limits: filled.limits }),
      ...(Object.keys(filled.requests).length > 0 && { requests: filled.requests }),
    },
  }
}
