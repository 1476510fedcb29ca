import type { Attributes, RequestTarget, ResourceAttributes } from '../../api/access.ts'
import type { ScopeRule, ScopeRuleResources } from '../../api/management/access-key-types.ts'
import { isResourceRequest, projectNamespace, targetOf } from './request.ts'

/** Tells whether objects of a resource live outside namespaces; undefined where nobody knows. */
export type IsClusterScoped = (group: string, resource: string, target: RequestTarget) => boolean | undefined

/** A deprecated rule: a request has to satisfy every part of it, and a part that is left out is satisfied by all. */
export function ruleGrants(rule: ScopeRule, attributes: Attributes, isClusterScoped: IsClusterScoped): boolean {
  const target = targetOf(attributes)
  return (
    allows(rule.verbs, attributes.verb) &&
    allowsTarget(rule, target) &&
    (isResourceRequest(attributes)
      ? allowsResource(rule.resources, attributes) &&
        allowsNamespace(rule.namespaces, attributes, target, isClusterScoped)
      : allowsPath(rule.nonResourceURLs, attributes.path))
  )
}

function isEmpty(list: readonly unknown[] | undefined): boolean {
  return list === undefined || list.length === 0
}

function allows(list: readonly string[] | undefined, value: string): boolean {
  return list === undefined || list.length === 0 || list.includes(value) || list.includes('*')
}

const targetNames: Readonly<Record<RequestTarget['kind'], string>> = {
  management: 'Management',
  cluster: 'Cluster',
  space: 'ProjectSpace',
  'virtual-cluster': 'ProjectVirtualCluster',
}

function allowsTarget(rule: ScopeRule, target: RequestTarget): boolean {
  return (
    (isEmpty(rule.requestTargets) || rule.requestTargets?.includes(targetNames[target.kind]) === true) &&
    allowsCluster(rule.cluster, target) &&
    allowsVirtualCluster(rule.virtualClusters, target)
  )
}

/** A rule for a cluster is for nothing else. */
function allowsCluster(cluster: string | undefined, target: RequestTarget): boolean {
  return cluster === undefined || cluster === '' || (target.kind === 'cluster' && target.cluster === cluster)
}

/** Likewise a rule for virtual clusters. */
function allowsVirtualCluster(wanted: ScopeRule['virtualClusters'], target: RequestTarget): boolean {
  if (wanted === undefined || wanted.length === 0) return true
  if (target.kind !== 'virtual-cluster') return false
  const namespace = projectNamespace(target.project)
  return wanted.some(
    (each) =>
      ((each.name ?? '') === '' || each.name === target.virtualCluster) &&
      ((each.namespace ?? '') === '' || each.namespace === namespace),
  )
}

function allowsResource(wanted: readonly ScopeRuleResources[] | undefined, attributes: ResourceAttributes): boolean {
  return wanted === undefined || wanted.length === 0 || wanted.some((each) => namesResource(each, attributes))
}

function namesResource(
  wanted: ScopeRuleResources,
  { group, resource, subresource, name }: ResourceAttributes,
): boolean {
  if ((wanted.group ?? '') !== group) return false
  const resources = wanted.resources ?? []
  if (resources.length === 0) return true
  if (!resources.some((pattern) => matchesResource(pattern, resource, subresource))) return false
  const names = wanted.resourceNames ?? []
  return names.length === 0 || (name !== '' && names.includes(name))
}

/** `pods`, `pods/log`, `pods/*` (what is below pods, not pods), `*` + `/scale`, and `*` for everything. */
function matchesResource(pattern: string, resource: string, subresource: string): boolean {
  if (pattern === '*') return true
  const slash = pattern.indexOf('/')
  if (slash < 0) return pattern === resource && subresource === ''
  const [parent, child] = [pattern.slice(0, slash), pattern.slice(slash + 1)]
  return (parent === '*' || parent === resource) && subresource !== '' && (child === '*' || child === subresource)
}

/**
 * The empty text stands for objects outside namespaces. A request for all namespaces looks the same from outside, so it
 * counts as one only where the resource is known to have none.
 */
function allowsNamespace(
  wanted: readonly string[] | undefined,
  { group, resource, namespace }: ResourceAttributes,
  target: RequestTarget,
  isClusterScoped: IsClusterScoped,
): boolean {
  if (wanted === undefined || wanted.length === 0) return true
  if (namespace !== '') return wanted.includes(namespace)
  return wanted.includes('') && isClusterScoped(group, resource, target) === true
}

/** A `*` stands only for the whole last step, and everything below it. */
function allowsPath(wanted: readonly string[] | undefined, path: string): boolean {
  if (wanted === undefined || wanted.length === 0) return true
  return wanted.some((pattern) => {
    if (pattern === '*') return true
    return pattern.endsWith('/*') ? path.startsWith(pattern.slice(0, -1)) : pattern === path
  })
}
