/**
 * The rights of a key, rule by rule, without regard to speed. Written from the design alone: it imports nothing from
 * the product, so the two agree only if both are right, or if both have the same error.
 */

export interface Rights {
  /** A member of the group that may do everything. */
  readonly superuser: boolean
  /** The rules of the owner's roles; in one namespace, or everywhere if it is empty. */
  readonly roles: readonly { readonly namespace: string; readonly rules: readonly RbacRule[] }[]
}

export interface RbacRule {
  readonly verbs: readonly string[]
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames: readonly string[]
  readonly nonResourceURLs: readonly string[]
}

export interface Scope {
  readonly roles?: readonly {
    readonly role?: string
    readonly projects?: readonly string[]
    readonly virtualClusters?: readonly string[]
  }[]
  readonly projects?: readonly { readonly project?: string }[]
  readonly spaces?: readonly { readonly project?: string; readonly space?: string }[]
  readonly virtualClusters?: readonly { readonly project?: string; readonly virtualCluster?: string }[]
  readonly clusters?: readonly { readonly cluster?: string }[]
  readonly rules?: readonly Rule[]
  readonly allowPlatformCli?: boolean
}

export interface Rule {
  readonly verbs?: readonly string[]
  readonly resources?: readonly {
    readonly group?: string
    readonly resources?: readonly string[]
    readonly resourceNames?: readonly string[]
  }[]
  readonly namespaces?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
  readonly requestTargets?: readonly string[]
  readonly cluster?: string
  readonly virtualClusters?: readonly { readonly name?: string; readonly namespace?: string }[]
}

export type Target =
  | { readonly kind: 'management' }
  | { readonly kind: 'cluster'; readonly cluster: string }
  | { readonly kind: 'space'; readonly project: string; readonly space: string }
  | { readonly kind: 'virtual-cluster'; readonly project: string; readonly virtualCluster: string }

export interface ObjectRequest {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  readonly target: Target
}

export interface PathRequest {
  readonly verb: string
  readonly path: string
  readonly target: Target
}

export type Request = ObjectRequest | PathRequest

export type Outcome = 'allowed' | 'refused by scope' | 'refused by owner' | 'refused by both'

export const managementGroup = 'management.example.com'

export function outcomeOf(rights: Rights, scope: Scope | undefined, request: Request): Outcome {
  const inScope = scopeAllows(scope, request)
  const byOwner = ownerAllows(rights, request)
  if (inScope && byOwner) return 'allowed'
  if (inScope) return 'refused by owner'
  return byOwner ? 'refused by scope' : 'refused by both'
}

/** RBAC. */
export function ownerAllows({ superuser, roles }: Rights, request: Request): boolean {
  if (superuser) return true
  for (const { namespace, rules } of roles) {
    if (namespace !== '' && ('path' in request || request.namespace !== namespace)) continue
    for (const rule of rules) if (rbacRuleAllows(rule, request)) return true
  }
  return false
}

function rbacRuleAllows(rule: RbacRule, request: Request): boolean {
  if (!rule.verbs.includes('*') && !rule.verbs.includes(request.verb)) return false
  if ('path' in request) {
    return rule.nonResourceURLs.some((url) => {
      return url === request.path || (url.endsWith('*') && request.path.startsWith(url.replace(/\*+$/, '')))
    })
  }
  if (!rule.apiGroups.includes('*') && !rule.apiGroups.includes(request.group)) return false
  if (rule.resourceNames.length > 0 && !rule.resourceNames.includes(request.name)) return false
  const whole = request.subresource === '' ? request.resource : `${request.resource}/${request.subresource}`
  const ofAll = request.subresource === '' ? undefined : `*/${request.subresource}`
  return rule.resources.some((resource) => resource === '*' || resource === whole || resource === ofAll)
}

export function scopeAllows(scope: Scope | undefined, request: Request): boolean {
  // Registering and linking a virtual cluster requires the role, whatever else the scope contains.
  if (isLink(request)) return (scope?.roles ?? []).some((role) => tenantMayLink(role, request))
  // No scope, or an empty one: all rights of the owner.
  if (scope === undefined || isEmpty(scope)) return true
  if (!isPlain(request)) return false
  if (makesToken(request)) return false
  if (isAlwaysAllowed(request) && mayAskThere(scope, request)) return true
  const roles = [...(scope.roles ?? []), ...(scope.allowPlatformCli === true ? [{ role: 'platformCLI' }] : [])]
  for (const role of roles) if (roleAllows(role, request)) return true
  for (const { project = '' } of scope.projects ?? []) if (projectAllows(project, request)) return true
  for (const { project = '', space = '' } of scope.spaces ?? []) if (spaceAllows(project, space, request)) return true
  for (const { project = '', virtualCluster = '' } of scope.virtualClusters ?? []) {
    if (virtualClusterAllows(project, virtualCluster, request)) return true
  }
  for (const { cluster = '' } of scope.clusters ?? []) if (clusterAllows(cluster, request)) return true
  for (const rule of scope.rules ?? []) if (ruleAllows(rule, request)) return true
  return false
}

function isEmpty(scope: Scope): boolean {
  if (scope.allowPlatformCli === true) return false
  for (const list of [scope.roles, scope.projects, scope.spaces, scope.virtualClusters, scope.clusters, scope.rules]) {
    if (list !== undefined && list.length > 0) return false
  }
  return true
}

function isPlain(request: Request): boolean {
  if (!('path' in request)) {
    const parts = [request.namespace, request.resource, request.subresource, request.name]
    return !parts.includes('.') && !parts.includes('..')
  }
  if (request.path.includes('%') || request.path.includes('\\')) return false
  const steps = request.path.split('/')
  if (steps.includes('.') || steps.includes('..')) return false
  return !request.path.includes('//')
}

function isManagement(request: Request): boolean {
  return request.target.kind === 'management'
}

/** An object of the platform itself, and not one in a cluster with the same name. */
function isPlatformObject(request: Request): request is ObjectRequest {
  return isManagement(request) && !('path' in request) && request.group === managementGroup
}

export function isLink(request: Request): request is ObjectRequest {
  if (!isPlatformObject(request) || request.resource !== 'virtualclusterinstances') return false
  return request.subresource === 'link' || request.subresource === 'register'
}

/**
 * A token of a service account has no scope, so a key with a scope cannot create one, except inside virtual clusters.
 */
export function makesToken(request: Request): boolean {
  if ('path' in request || request.target?.kind === 'virtual-cluster' || request.group !== '') return false
  return request.resource === 'serviceaccounts' && request.subresource === 'token'
}

/** Resources that hand out keys are not part of a project, a cluster or a role. */
function handsOutKeys(request: ObjectRequest): boolean {
  return ['accesskey', 'accesskeys', 'nodeaccesskey'].includes(request.subresource)
}

/** On the platform every key may ask; elsewhere, a key with any right there. */
function mayAskThere(scope: Scope, request: Request): boolean {
  return isManagement(request) || (scope.rules ?? []).some((rule) => targetAllowed(rule, request.target))
}

function isAlwaysAllowed(request: Request): boolean {
  if ('path' in request) {
    if (request.verb !== 'get') return false
    const [, first = ''] = request.path.split('/')
    if (!request.path.startsWith('/')) return false
    if (request.path === '/') return true
    return ['api', 'apis', 'openapi', 'version', 'healthz', 'livez', 'readyz'].includes(first)
  }
  if (request.subresource !== '') return false
  const what = `${request.resource}.${request.group}`
  if (what === `selves.${managementGroup}`) {
    return isManagement(request) && ['create', 'get', 'list'].includes(request.verb)
  }
  if (request.verb !== 'create') return false
  if (what === `connectionkeys.${managementGroup}`) return isManagement(request)
  return [
    'selfsubjectreviews.authentication.k8s.io',
    'selfsubjectaccessreviews.authorization.k8s.io',
    'selfsubjectrulesreviews.authorization.k8s.io',
  ].includes(what)
}

type RoleEntry = NonNullable<Scope['roles']>[number]

function allOrIn(list: readonly string[] | undefined, name: string | undefined): boolean {
  if (list === undefined || list.length === 0 || list.includes('*')) return true
  return name !== undefined && name !== '' && list.includes(name)
}

function isNarrowed(list: readonly string[] | undefined): boolean {
  return list !== undefined && list.length > 0 && !list.includes('*')
}

function projectOf(namespace: string): string | undefined {
  const [, project] = /^p-(.+)$/.exec(namespace) ?? []
  return project
}

function inNarrowedPlace(role: RoleEntry, request: ObjectRequest): boolean {
  return allOrIn(role.projects, projectOf(request.namespace)) && allOrIn(role.virtualClusters, request.name)
}

function tenantMayLink(role: RoleEntry, request: ObjectRequest): boolean {
  if (role.role !== 'tenant' || !isPlain(request)) return false
  return ['get', 'create', 'update', 'patch'].includes(request.verb) && inNarrowedPlace(role, request)
}

/** The role covers the metrics of the virtual clusters that it reaches. */
function isMeasuredFor(role: RoleEntry, { target }: Request): boolean {
  if (role.role !== 'metrics-reader' || target.kind !== 'virtual-cluster') return false
  return allOrIn(role.projects, target.project) && allOrIn(role.virtualClusters, target.virtualCluster)
}

function roleAllows(role: RoleEntry, request: Request): boolean {
  const isNarrow = isNarrowed(role.projects) || isNarrowed(role.virtualClusters)
  if ('path' in request) {
    if (role.role !== 'metrics-reader' || request.verb !== 'get' || request.path !== '/metrics') return false
    return isManagement(request) ? !isNarrow : isMeasuredFor(role, request)
  }
  if (!isPlatformObject(request)) return false
  const reads = ['get', 'list', 'watch'].includes(request.verb)
  const reports = ['get', 'update', 'patch'].includes(request.verb)
  const connects = ['get', 'create', 'update', 'patch'].includes(request.verb)
  const what = request.subresource === '' ? request.resource : `${request.resource}/${request.subresource}`
  switch (role.role) {
    case 'tenant':
      if (what === 'features') return reads
      if (!inNarrowedPlace(role, request)) return false
      if (what === 'virtualclusterinstances') return reads
      return what === 'virtualclusterinstances/status' && reads
    case 'agent':
      if (what === 'features') return reads
      if (isNarrow) return false
      if (what === 'clusters') return reads
      if (what === 'clusters/status') return reports
      return (what === 'clusters/link' || what === 'clusters/register') && connects
    case 'platformCLI':
    case 'platform-cli':
      if (!reads || !['', 'status'].includes(request.subresource)) return false
      if (request.resource === 'virtualclusterinstances') return inNarrowedPlace(role, request)
      if (isNarrowed(role.virtualClusters)) return false
      if (request.resource === 'spaceinstances') return allOrIn(role.projects, projectOf(request.namespace))
      if (request.resource === 'projects') return allOrIn(role.projects, request.name)
      return !isNarrowed(role.projects) && ['clusters', 'users', 'teams'].includes(request.resource)
    default:
      return false
  }
}

/** A name in an entry; a request without a name covers all objects. */
function names(entry: string, actual: string): boolean {
  return entry === '*' || (entry !== '' && entry === actual)
}

function livesInProject(project: string, request: ObjectRequest): boolean {
  return project === '*' || (project !== '' && request.namespace === `p-${project}`)
}

function projectAllows(project: string, request: Request): boolean {
  const { target } = request
  if (target.kind === 'space' || target.kind === 'virtual-cluster') return names(project, target.project)
  if (!isPlatformObject(request) || handsOutKeys(request)) return false
  if (request.resource === 'projects') return names(project, request.name)
  if (request.resource !== 'spaceinstances' && request.resource !== 'virtualclusterinstances') return false
  return livesInProject(project, request)
}

function spaceAllows(project: string, space: string, request: Request): boolean {
  const { target } = request
  if (target.kind === 'space') return names(project, target.project) && names(space, target.space)
  if (!isPlatformObject(request) || handsOutKeys(request)) return false
  return request.resource === 'spaceinstances' && livesInProject(project, request) && names(space, request.name)
}

function virtualClusterAllows(project: string, name: string, request: Request): boolean {
  const { target } = request
  if (target.kind === 'virtual-cluster') return names(project, target.project) && names(name, target.virtualCluster)
  if (!isPlatformObject(request) || handsOutKeys(request)) return false
  return request.resource === 'virtualclusterinstances' && livesInProject(project, request) && names(name, request.name)
}

function clusterAllows(cluster: string, request: Request): boolean {
  const { target } = request
  if (target.kind === 'cluster') return names(cluster, target.cluster)
  if (!isPlatformObject(request) || handsOutKeys(request)) return false
  return request.resource === 'clusters' && names(cluster, request.name)
}

function ruleAllows(rule: Rule, request: Request): boolean {
  if (!verbAllowed(rule, request.verb)) return false
  if (!targetAllowed(rule, request.target)) return false
  if ('path' in request) return pathAllowed(rule, request.path)
  return objectAllowed(rule, request) && namespaceAllowed(rule, request)
}

function verbAllowed({ verbs = [] }: Rule, verb: string): boolean {
  return verbs.length === 0 || verbs.includes('*') || verbs.includes(verb)
}

function targetAllowed({ requestTargets = [], cluster = '', virtualClusters = [] }: Rule, target: Target): boolean {
  const word = {
    management: 'Management',
    cluster: 'Cluster',
    space: 'ProjectSpace',
    'virtual-cluster': 'ProjectVirtualCluster',
  }[target.kind]
  if (requestTargets.length > 0 && !requestTargets.includes(word)) return false
  if (cluster !== '' && (target.kind !== 'cluster' || target.cluster !== cluster)) return false
  if (virtualClusters.length === 0) return true
  if (target.kind !== 'virtual-cluster') return false
  return virtualClusters.some(({ name = '', namespace = '' }) => {
    return (name === '' || name === target.virtualCluster) && (namespace === '' || namespace === `p-${target.project}`)
  })
}

function pathAllowed({ nonResourceURLs = [] }: Rule, path: string): boolean {
  if (nonResourceURLs.length === 0) return true
  return nonResourceURLs.some((url) => {
    if (url === '*' || url === path) return true
    return url.endsWith('/*') && path.startsWith(url.slice(0, url.length - 1))
  })
}

function objectAllowed({ resources = [] }: Rule, request: ObjectRequest): boolean {
  if (resources.length === 0) return true
  return resources.some((each) => {
    if ((each.group ?? '') !== request.group) return false
    const patterns = each.resources ?? []
    if (patterns.length > 0 && !patterns.some((pattern) => resourceMatches(pattern, request))) return false
    const wanted = each.resourceNames ?? []
    return wanted.length === 0 || (request.name !== '' && wanted.includes(request.name))
  })
}

function resourceMatches(pattern: string, { resource, subresource }: ObjectRequest): boolean {
  if (pattern === '*') return true
  const [parent, child, ...rest] = pattern.split('/')
  if (rest.length > 0 || parent === '') return false
  if (child === undefined) return parent === resource && subresource === ''
  if (child === '' || subresource === '') return false
  return (parent === '*' || parent === resource) && (child === '*' || child === subresource)
}

function namespaceAllowed({ namespaces = [] }: Rule, request: ObjectRequest): boolean {
  if (namespaces.length === 0) return true
  if (request.namespace !== '' && namespaces.includes(request.namespace)) return true
  if (!namespaces.includes('')) return false
  if (request.group === '' && request.resource === 'namespaces') return true
  return request.namespace === '' && livesOutside(request.group, request.resource, request.target) === true
}

/** What the servers of this model know about their resources; undefined if no server knows. */
export function livesOutside(group: string, resource: string, target: Target): boolean | undefined {
  const known: Readonly<Record<string, boolean>> = {
    '/nodes': true,
    '/namespaces': true,
    '/pods': false,
    '/secrets': false,
    [`${managementGroup}/projects`]: true,
    [`${managementGroup}/clusters`]: true,
    [`${managementGroup}/users`]: true,
    [`${managementGroup}/teams`]: true,
    [`${managementGroup}/ownedaccesskeys`]: true,
    [`${managementGroup}/spaceinstances`]: false,
    [`${managementGroup}/virtualclusterinstances`]: false,
    // The same kind is namespaced in one type of cluster and not in the other.
    'apps/widgets': target.kind === 'cluster',
  }
  return known[`${group}/${resource}`]
}
