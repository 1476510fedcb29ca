import type { RequestTarget } from '../../api/access.ts'
import type { ScopeRule, ScopeRuleResources } from '../../api/types/management.ts'
import type { ResourceGrant, ScopeGrant } from './grant.ts'
import { namespacesOf } from './namespace-pattern.ts'
import { pathPatternsOf } from './path-pattern.ts'
import { projectOfNamespace } from './request.ts'
import { resourcesOf } from './resource-pattern.ts'
import { anyTarget, type TargetPattern } from './target-pattern.ts'
import { namedTexts, type Texts, textsOf } from './texts.ts'

const kindsByName: ReadonlyMap<string, RequestTarget['kind']> = new Map([
  ['Management', 'management'],
  ['Cluster', 'cluster'],
  ['ProjectSpace', 'space'],
  ['ProjectVirtualCluster', 'virtual-cluster'],
])

export const requestTargetNames: readonly string[] = [...kindsByName.keys()]

/** A deprecated rule. An empty list limits nothing, so a rule covers both objects and paths. */
export function ruleGrants(entry: string, rule: ScopeRule): readonly ScopeGrant[] {
  const verbs = textsOf(rule.verbs)
  const paths = pathPatternsOf(rule.nonResourceURLs)
  const objects = objectLimits(rule)
  return targetsOf(rule).flatMap((target): readonly ScopeGrant[] => [
    ...objects.map((limits) => ({ form: 'resource' as const, entry, target, verbs, ...limits })),
    { form: 'path', entry, target, verbs, paths },
  ])
}

type ObjectLimits = Pick<ResourceGrant, 'groups' | 'resources' | 'names' | 'namespaces' | 'privilege'>

function objectLimits(rule: ScopeRule): readonly ObjectLimits[] {
  const common = { namespaces: namespacesOf(rule.namespaces), privilege: 'keys' } as const
  const listed = rule.resources ?? []
  if (listed.length === 0) return [{ groups: undefined, resources: undefined, names: undefined, ...common }]
  return listed.map(({ group, resources, resourceNames }: ScopeRuleResources) => ({
    groups: new Set([group ?? '']),
    resources: resourcesOf(resources),
    names: exactly(resourceNames),
    ...common,
  }))
}

/** Names of objects have no wildcard. */
function exactly(names: readonly string[] | undefined): Texts {
  return names === undefined || names.length === 0 ? undefined : namedTexts(names)
}

/** A rule for a cluster applies to nothing else; the same holds for virtual clusters. */
function targetsOf(rule: ScopeRule): readonly TargetPattern[] {
  const wanted = rule.requestTargets ?? []
  const kinds = wanted.map((name) => kindsByName.get(name))
  const targets = wanted.length === 0 ? anyTarget : anyTarget.filter(({ kind }) => kinds.includes(kind))
  const cluster = rule.cluster ?? ''
  const virtualClusters = rule.virtualClusters ?? []
  return targets.flatMap((target) => {
    if (cluster !== '' && target.kind !== 'cluster') return []
    if (virtualClusters.length > 0 && target.kind !== 'virtual-cluster') return []
    if (target.kind === 'cluster' && cluster !== '') return [{ ...target, cluster: namedTexts([cluster]) }]
    return target.kind === 'virtual-cluster' && virtualClusters.length > 0
      ? virtualClusters.map(virtualClusterTarget)
      : [target]
  })
}

function virtualClusterTarget({ name, namespace }: { readonly name?: string; readonly namespace?: string }) {
  const target: TargetPattern = {
    kind: 'virtual-cluster',
    project: (namespace ?? '') === '' ? undefined : namedTexts([projectOfNamespace(namespace ?? '') ?? '']),
    virtualCluster: (name ?? '') === '' ? undefined : namedTexts([name ?? '']),
  }
  return target
}
