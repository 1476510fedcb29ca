import type { Chance } from './chance.ts'
import {
  managementGroup,
  type ObjectRequest,
  type RbacRule,
  type Request,
  type Rights,
  type Rule,
  type Scope,
  type Target,
} from './model.ts'

/** Few words, so that entries and requests meet, and often miss each other by one. */
const projects = ['a', 'b'] as const
const virtualClusters = ['v', 'w'] as const
const spaces = ['s', 't'] as const
const clusters = ['c', 'd'] as const
const namespaces = ['p-a', 'p-b', 'default', 'p-', 'p-*', ''] as const
const groups = [managementGroup, '', 'apps'] as const
const managementResources = [
  'virtualclusterinstances',
  'spaceinstances',
  'projects',
  'clusters',
  'users',
  'teams',
  'ownedaccesskeys',
  'features',
  'selves',
] as const
const otherResources = ['pods', 'secrets', 'nodes', 'namespaces', 'widgets', 'virtualclusterinstances'] as const
const subresources = ['', 'status', 'log', 'scale', 'link', 'register', 'accesskey', 'accesskeys'] as const
const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'use'] as const
const paths = [
  '/metrics',
  '/version',
  '/healthz',
  '/healthz/etcd',
  '/',
  '/logs',
  '/logs/x',
  '/logs/../metrics',
] as const
const roleNames = ['tenant', 'agent', 'platformCLI', 'platform-cli', 'metrics-reader'] as const
const targetNames = ['Management', 'Cluster', 'ProjectSpace', 'ProjectVirtualCluster'] as const
const patterns = [
  '*',
  'pods',
  'pods/log',
  'pods/*',
  '*/scale',
  '*/*',
  'virtualclusterinstances',
  'virtualclusterinstances/*',
  '*/accesskeys',
  'users/accesskeys',
  'virtualclusterinstances/link',
  'projects',
  'namespaces',
  'widgets',
] as const
const urls = ['*', '/metrics', '/logs/*', '/logs', '/healthz/*', '/lo*', '/*'] as const

/** A name as an entry has it: now and then a wildcard, rarely nothing. */
function entryName(chance: Chance, names: readonly [string, ...string[]]): string {
  if (chance.often(0.2)) return '*'
  return chance.often(0.04) ? '' : chance.pick(names)
}

export function scopeBy(chance: Chance): Scope | undefined {
  if (chance.often(0.03)) return undefined
  const scope: { -readonly [K in keyof Scope]: Scope[K] } = {}
  for (let entries = chance.below(4) + (chance.often(0.97) ? 1 : 0); entries > 0; entries--) addEntry(chance, scope)
  return scope
}

function addEntry(chance: Chance, scope: { -readonly [K in keyof Scope]: Scope[K] }): void {
  switch (
    chance.pick(['role', 'role', 'project', 'space', 'virtualCluster', 'cluster', 'rule', 'rule', 'rule', 'cli'])
  ) {
    case 'role':
      scope.roles = [...(scope.roles ?? []), roleBy(chance)]
      break
    case 'project':
      scope.projects = [...(scope.projects ?? []), { project: entryName(chance, projects) }]
      break
    case 'space':
      scope.spaces = [
        ...(scope.spaces ?? []),
        { project: entryName(chance, projects), space: entryName(chance, spaces) },
      ]
      break
    case 'virtualCluster':
      scope.virtualClusters = [
        ...(scope.virtualClusters ?? []),
        { project: entryName(chance, projects), virtualCluster: entryName(chance, virtualClusters) },
      ]
      break
    case 'cluster':
      scope.clusters = [...(scope.clusters ?? []), { cluster: entryName(chance, clusters) }]
      break
    case 'rule':
      scope.rules = [...(scope.rules ?? []), ruleBy(chance)]
      break
    case 'cli':
      scope.allowPlatformCli = chance.often(0.7)
      break
  }
}

function roleBy(chance: Chance): NonNullable<Scope['roles']>[number] {
  const role = chance.often(0.04) ? chance.pick(['admin', '', 'Tenant']) : chance.pick(roleNames)
  return {
    role,
    ...(chance.often(0.5) ? { projects: chance.some([...projects, '*', ''], 0.4) } : {}),
    ...(chance.often(0.4) ? { virtualClusters: chance.some([...virtualClusters, '*', ''], 0.4) } : {}),
  }
}

function ruleBy(chance: Chance): Rule {
  const part = <K extends keyof Rule>(share: number, key: K, make: () => Rule[K]): Partial<Rule> =>
    chance.often(share) ? { [key]: make() } : {}
  return {
    ...part(0.5, 'verbs', () => chance.some([...verbs, '*'], 0.35)),
    ...part(0.55, 'resources', () => Array.from({ length: chance.below(3) }, () => resourcesBy(chance))),
    ...part(0.4, 'namespaces', () => chance.some([...namespaces], 0.4)),
    ...part(0.4, 'nonResourceURLs', () => chance.some([...urls], 0.3)),
    ...part(0.35, 'requestTargets', () => chance.some([...targetNames], 0.4)),
    ...part(0.15, 'cluster', () => chance.pick(['c', 'd', '', '*'])),
    ...part(0.2, 'virtualClusters', () => Array.from({ length: chance.below(3) }, () => virtualClusterBy(chance))),
  }
}

function resourcesBy(chance: Chance): NonNullable<Rule['resources']>[number] {
  return {
    ...(chance.often(0.9) ? { group: chance.pick(groups) } : {}),
    ...(chance.often(0.85) ? { resources: chance.some([...patterns, '', 'pods/', '*/', '/scale'], 0.2) } : {}),
    ...(chance.often(0.25) ? { resourceNames: chance.some(['x', 'v', 'a', '*', ''], 0.4) } : {}),
  }
}

function virtualClusterBy(chance: Chance): { readonly name?: string; readonly namespace?: string } {
  return {
    ...(chance.often(0.7) ? { name: chance.pick(['v', 'w', '', '*']) } : {}),
    ...(chance.often(0.7) ? { namespace: chance.pick(['p-a', 'p-b', '', 'a', 'p-', '*']) } : {}),
  }
}

/** The owner may nearly always do what is asked: what is of interest is what the scope says. */
export function rightsBy(chance: Chance): Rights {
  if (chance.often(0.35)) return { superuser: true, roles: [] }
  const everything: RbacRule = {
    verbs: ['*'],
    apiGroups: ['*'],
    resources: ['*'],
    resourceNames: [],
    nonResourceURLs: ['*'],
  }
  if (chance.often(0.6)) return { superuser: false, roles: [{ namespace: '', rules: [everything] }] }
  return { superuser: false, roles: Array.from({ length: chance.below(4) + 1 }, () => roleOfOwner(chance)) }
}

/** A role in a namespace says nothing of paths: the API does not take such a one. */
function roleOfOwner(chance: Chance): Rights['roles'][number] {
  const namespace = chance.pick(['', '', 'p-a', 'p-b', 'default'])
  const rules = Array.from({ length: chance.below(3) + 1 }, () => rbacRuleBy(chance))
  return { namespace, rules: namespace === '' ? rules : rules.map((rule) => ({ ...rule, nonResourceURLs: [] })) }
}

function rbacRuleBy(chance: Chance): RbacRule {
  const resources = ['*', 'pods', 'pods/log', '*/scale', 'projects', 'virtualclusterinstances', 'users/accesskeys']
  return {
    verbs: chance.often(0.4) ? ['*'] : chance.some([...verbs], 0.5),
    apiGroups: chance.often(0.4) ? ['*'] : chance.some([...groups], 0.6),
    resources: chance.some([...resources, ...managementResources, 'virtualclusterinstances/link', '*/link'], 0.35),
    resourceNames: chance.often(0.2) ? chance.some(['x', 'v', 'a'], 0.5) : [],
    nonResourceURLs: chance.some(['*', '/metrics', '/logs*', '/healthz/*', '/version', '/api*'], 0.3),
  }
}

function targetBy(chance: Chance): Target {
  const project = chance.pick(projects)
  if (chance.often(0.55)) return { kind: 'management' }
  switch (chance.below(3)) {
    case 0:
      return { kind: 'cluster', cluster: chance.pick(clusters) }
    case 1:
      return { kind: 'space', project, space: chance.pick(spaces) }
    default:
      return { kind: 'virtual-cluster', project, virtualCluster: chance.pick(virtualClusters) }
  }
}

/** About half of them are what an entry of the scope is for, many of those with one thing changed. */
export function requestBy(chance: Chance, scope: Scope | undefined): Request {
  if (scope === undefined || chance.often(0.3)) return anyRequest(chance)
  const aimed = aimedRequest(chance, scope)
  return chance.often(0.5) ? nearMiss(chance, aimed) : aimed
}

function anyRequest(chance: Chance): Request {
  const target = targetBy(chance)
  if (chance.often(0.15)) return { verb: chance.pick(['get', 'get', 'post', 'put']), path: chance.pick(paths), target }
  const group =
    target.kind === 'management' ? chance.pick([managementGroup, managementGroup, '', 'apps']) : chance.pick(groups)
  return {
    verb: chance.pick(verbs),
    group,
    resource: group === managementGroup ? chance.pick(managementResources) : chance.pick(otherResources),
    subresource: chance.often(0.7) ? '' : chance.pick(subresources),
    namespace: chance.pick(namespaces),
    name: chance.pick(['', 'x', 'v', 'w', 's', 'a', 'b', 'c', '..']),
    target,
  }
}

const management: Target = { kind: 'management' }

function aimedRequest(chance: Chance, scope: Scope): Request {
  const aims: (() => Request)[] = [
    ...(scope.roles ?? []).map((role) => () => forRole(chance, role)),
    ...(scope.allowPlatformCli === true ? [() => forRole(chance, { role: 'platformCLI' })] : []),
    ...(scope.projects ?? []).map((each) => () => forProject(chance, each.project ?? '')),
    ...(scope.spaces ?? []).map((each) => () => forSpace(chance, each.project ?? '', each.space ?? '')),
    ...(scope.virtualClusters ?? []).map(
      (each) => () => forVirtualCluster(chance, each.project ?? '', each.virtualCluster ?? ''),
    ),
    ...(scope.clusters ?? []).map((each) => () => forCluster(chance, each.cluster ?? '')),
    ...(scope.rules ?? []).map((rule) => () => forRule(chance, rule)),
  ]
  return aims[chance.below(aims.length)]?.() ?? anyRequest(chance)
}

function named(chance: Chance, name: string, names: readonly [string, ...string[]]): string {
  return name === '*' || name === '' ? chance.pick(names) : name
}

function platformObject(chance: Chance, request: Partial<ObjectRequest>): ObjectRequest {
  return {
    verb: chance.pick(verbs),
    group: managementGroup,
    resource: '',
    subresource: chance.often(0.75) ? '' : chance.pick(subresources),
    namespace: '',
    name: '',
    target: management,
    ...request,
  }
}

function inTarget(chance: Chance, target: Target): Request {
  const request = anyRequest(chance)
  return { ...request, target }
}

function forRole(
  chance: Chance,
  { role = '', projects: some = [], virtualClusters: vcs = [] }: NonNullable<Scope['roles']>[number],
): Request {
  const project = some[chance.below(some.length)] ?? '*'
  const namespace = `p-${named(chance, project, projects)}`
  const name = named(chance, vcs[chance.below(vcs.length)] ?? '*', virtualClusters)
  switch (role) {
    case 'metrics-reader':
      return { verb: 'get', path: '/metrics', target: management }
    case 'tenant': {
      const [resource, subresource] = chance.pick([
        ['virtualclusterinstances', 'link'],
        ['virtualclusterinstances', 'register'],
        ['virtualclusterinstances', 'status'],
        ['virtualclusterinstances', ''],
        ['features', ''],
      ])
      const verb = chance.pick(['get', 'create', 'update', 'patch', 'list'])
      return platformObject(chance, { verb, resource, subresource, namespace, name })
    }
    case 'agent':
      return platformObject(chance, {
        verb: chance.pick(['get', 'create', 'update', 'patch', 'list']),
        resource: chance.pick(['clusters', 'clusters', 'features']),
        subresource: chance.pick(['', 'link', 'register', 'status']),
        name: chance.pick(clusters),
      })
    default:
      return platformObject(chance, {
        verb: chance.pick(['get', 'list', 'watch']),
        resource: chance.pick(['virtualclusterinstances', 'spaceinstances', 'projects', 'users', 'clusters']),
        subresource: chance.pick(['', '', 'status', 'accesskeys']),
        namespace,
        name: chance.pick([name, named(chance, project, projects), '']),
      })
  }
}

function forProject(chance: Chance, project: string): Request {
  const name = named(chance, project, projects)
  switch (chance.below(4)) {
    case 0:
      return platformObject(chance, { resource: 'projects', name })
    case 1:
      return inTarget(chance, { kind: 'space', project: name, space: chance.pick(spaces) })
    case 2:
      return inTarget(chance, { kind: 'virtual-cluster', project: name, virtualCluster: chance.pick(virtualClusters) })
    default:
      return platformObject(chance, {
        resource: chance.pick(['virtualclusterinstances', 'spaceinstances']),
        namespace: `p-${name}`,
        name: chance.pick(['', 'v', 's']),
      })
  }
}

function forSpace(chance: Chance, project: string, space: string): Request {
  const [inProject, name] = [named(chance, project, projects), named(chance, space, spaces)]
  return chance.often(0.5)
    ? inTarget(chance, { kind: 'space', project: inProject, space: name })
    : platformObject(chance, { resource: 'spaceinstances', namespace: `p-${inProject}`, name })
}

function forVirtualCluster(chance: Chance, project: string, virtualCluster: string): Request {
  const [inProject, name] = [named(chance, project, projects), named(chance, virtualCluster, virtualClusters)]
  return chance.often(0.5)
    ? inTarget(chance, { kind: 'virtual-cluster', project: inProject, virtualCluster: name })
    : platformObject(chance, { resource: 'virtualclusterinstances', namespace: `p-${inProject}`, name })
}

function forCluster(chance: Chance, cluster: string): Request {
  const name = named(chance, cluster, clusters)
  return chance.often(0.5)
    ? inTarget(chance, { kind: 'cluster', cluster: name })
    : platformObject(chance, { resource: 'clusters', name })
}

function forRule(chance: Chance, rule: Rule): Request {
  const any = anyRequest(chance)
  const target = targetForRule(chance, rule)
  const verb = pickOr(chance, rule.verbs, chance.pick(verbs))
  if ('path' in any) return { verb, path: pickOr(chance, rule.nonResourceURLs, any.path).replace('*', 'x'), target }
  const entry = rule.resources?.[chance.below(rule.resources.length)]
  const [resource = 'pods', subresource = ''] = pickOr(chance, entry?.resources, any.resource).split('/')
  return {
    verb,
    group: rule.resources === undefined || rule.resources.length === 0 ? any.group : (entry?.group ?? ''),
    resource: resource === '*' ? any.resource : resource,
    subresource: subresource === '*' ? 'log' : subresource,
    namespace: pickOr(chance, rule.namespaces, any.namespace),
    name: pickOr(chance, entry?.resourceNames, any.name),
    target,
  }
}

function pickOr(chance: Chance, list: readonly string[] | undefined, otherwise: string): string {
  const picked = list?.[chance.below(list.length)]
  return picked === undefined || picked === '*' ? otherwise : picked
}

function targetForRule(chance: Chance, rule: Rule): Target {
  const entry = rule.virtualClusters?.[chance.below(rule.virtualClusters.length)]
  if (entry !== undefined) {
    const project = (entry.namespace ?? '').replace(/^p-/, '')
    const virtualCluster = named(chance, entry.name ?? '', virtualClusters)
    return { kind: 'virtual-cluster', project: named(chance, project, projects), virtualCluster }
  }
  if (rule.cluster !== undefined && rule.cluster !== '') return { kind: 'cluster', cluster: rule.cluster }
  const wanted = rule.requestTargets?.[chance.below(rule.requestTargets.length)]
  for (let attempt = 0; attempt < 20; attempt++) {
    const target = targetBy(chance)
    if (wanted === undefined || targetNames.indexOf(wanted as never) === kinds.indexOf(target.kind)) return target
  }
  return management
}

const kinds: readonly Target['kind'][] = ['management', 'cluster', 'space', 'virtual-cluster']

/** The same request with one part changed. */
function nearMiss(chance: Chance, request: Request): Request {
  if (chance.often(0.2)) return { ...request, verb: chance.pick(verbs) }
  if (chance.often(0.25)) return { ...request, target: otherTarget(chance, request.target) }
  if ('path' in request) return { ...request, path: chance.pick(paths) }
  switch (chance.below(5)) {
    case 0:
      return { ...request, namespace: chance.pick(namespaces) }
    case 1:
      return { ...request, name: chance.pick(['', 'x', 'v', 'w', 's', 't', 'a', 'b', 'c', 'd', '..']) }
    case 2:
      return { ...request, subresource: chance.pick(subresources) }
    case 3:
      return { ...request, resource: chance.pick([...managementResources, ...otherResources]) }
    default:
      return { ...request, group: chance.pick([...groups, 'management.other.com']) }
  }
}

function otherTarget(chance: Chance, target: Target): Target {
  if (chance.often(0.4)) return targetBy(chance)
  switch (target.kind) {
    case 'management':
      return target
    case 'cluster':
      return { ...target, cluster: chance.pick(clusters) }
    case 'space':
      return chance.often(0.5)
        ? { ...target, project: chance.pick(projects) }
        : { ...target, space: chance.pick(spaces) }
    case 'virtual-cluster':
      return chance.often(0.5)
        ? { ...target, project: chance.pick(projects) }
        : { ...target, virtualCluster: chance.pick(virtualClusters) }
  }
}
