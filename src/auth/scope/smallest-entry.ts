import type { Attributes, RequestTarget, ResourceAttributes } from '../../api/access.ts'
import type { AccessKeyScope, ScopeRule } from '../../api/types/management.ts'
import { compileScope } from './compile.ts'
import type { ScopeEnvironment } from './grant.ts'
import { isResourceRequest, projectOfNamespace, targetOf } from './request.ts'

/** The narrowest entry that would allow the request, as a scope; undefined if there is none. */
export function smallestEntry(attributes: Attributes, environment: ScopeEnvironment): AccessKeyScope | undefined {
  return candidates(attributes, environment).find(
    (scope) => compileScope(scope, environment)?.grant(attributes).granted === true,
  )
}

/**
 * From narrow to wide. Rules come late, because they are deprecated, but before roles for everything the owner has,
 * which would allow much more than the request.
 */
function candidates(attributes: Attributes, environment: ScopeEnvironment): readonly AccessKeyScope[] {
  const target = targetOf(attributes)
  const rules = rulesFor(attributes, target, environment).map((rule) => ({ rules: [rule] }))
  switch (target.kind) {
    case 'management':
      return isResourceRequest(attributes)
        ? [...objectCandidates(attributes), ...rules, ...wholeRoles]
        : [{ roles: [{ role: 'metrics-reader' }] }, ...rules]
    case 'cluster':
      return [{ clusters: [{ cluster: target.cluster }] }]
    case 'space':
      return [{ spaces: [{ project: target.project, space: target.space }] }]
    case 'virtual-cluster': {
      const { project, virtualCluster } = target
      const metrics = { role: 'metrics-reader', projects: [project], virtualClusters: [virtualCluster] }
      const whole = { virtualClusters: [{ project, virtualCluster }] }
      return isResourceRequest(attributes) ? [whole] : [{ roles: [metrics] }, whole]
    }
  }
}

const wholeRoles: readonly AccessKeyScope[] = ['platformCLI', 'tenant', 'agent'].map((role) => ({ roles: [{ role }] }))

function objectCandidates({ resource, subresource, namespace, name }: ResourceAttributes): readonly AccessKeyScope[] {
  const project = resource === 'projects' ? name : (projectOfNamespace(namespace) ?? '')
  const named = resource === 'virtualclusterinstances' && name !== '' ? { virtualClusters: [name] } : {}
  const inProject = ['platformCLI', 'tenant'].map((role) => ({ roles: [{ role, projects: [project], ...named }] }))
  return [
    ...(project === '' ? [] : inProject),
    ...(resource === 'clusters' && subresource !== '' ? [{ roles: [{ role: 'agent' }] }] : []),
    { virtualClusters: [{ project, virtualCluster: name }] },
    { spaces: [{ project, space: name }] },
    { clusters: [{ cluster: name }] },
    { projects: [{ project }] },
  ]
}

const targetNames: Readonly<Record<RequestTarget['kind'], string>> = {
  management: 'Management',
  cluster: 'Cluster',
  space: 'ProjectSpace',
  'virtual-cluster': 'ProjectVirtualCluster',
}

/**
 * An empty list would allow everything, so a rule about objects names a path that every key may request, and vice
 * versa.
 */
function rulesFor(
  attributes: Attributes,
  target: RequestTarget,
  { managementGroup }: ScopeEnvironment,
): readonly ScopeRule[] {
  const common = { verbs: [attributes.verb], requestTargets: [targetNames[target.kind]] }
  if (!isResourceRequest(attributes)) {
    const resources = [{ group: managementGroup, resources: ['selves'] }]
    return [{ ...common, nonResourceURLs: [attributes.path], resources }]
  }
  const { group, resource, subresource, namespace, name } = attributes
  const whole = subresource === '' ? resource : `${resource}/${subresource}`
  const kinds = { group, resources: [whole], ...(name === '' ? {} : { resourceNames: [name] }) }
  const rule = { ...common, resources: [kinds], nonResourceURLs: ['/version'] }
  return [{ ...rule, namespaces: [namespace] }, rule]
}
