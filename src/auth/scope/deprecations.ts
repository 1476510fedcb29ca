import type { AccessKeyScope, ScopeRule } from '../../api/types/management.ts'

const maxWarnings = 10

/** Warnings for the writer of a scope with deprecated parts. */
export function deprecations(scope: AccessKeyScope): readonly string[] {
  const rules = scope.rules ?? []
  return [
    ...(rules.length === 0 ? [] : ['spec.scope.rules is deprecated: use projects, spaces and virtualClusters']),
    ...(scope.allowPlatformCli === undefined
      ? []
      : ['spec.scope.allowPlatformCli is deprecated: use a role entry named "platformCLI"']),
    ...rules.flatMap(surprises),
  ].slice(0, maxWarnings)
}

/** An empty list limits nothing, which surprises most users who leave one out. */
function surprises(rule: ScopeRule, index: number): readonly string[] {
  const path = `spec.scope.rules[${index}]`
  const [resources, urls] = [(rule.resources ?? []).length, (rule.nonResourceURLs ?? []).length]
  if (resources > 0 && urls === 0)
    return [`${path} has no nonResourceURLs, so it allows every path that is not about objects`]
  if (urls > 0 && resources === 0) return [`${path} has no resources, so it allows requests for objects of every kind`]
  return reachesNothing(rule) ? [`${path} asks for two targets at once, so it allows nothing`] : []
}

function reachesNothing({ cluster = '', virtualClusters, requestTargets }: ScopeRule): boolean {
  const targets = requestTargets ?? []
  const isFor = (target: string) => targets.length === 0 || targets.includes(target)
  const hasVirtualClusters = (virtualClusters ?? []).length > 0
  if (cluster !== '' && (hasVirtualClusters || !isFor('Cluster'))) return true
  return hasVirtualClusters && !isFor('ProjectVirtualCluster')
}
