import { anyRequest, targetBy } from './any-request.ts'
import type { Chance } from './chance.ts'
import { managementGroup, type ObjectRequest, type Request, type Rule, type Scope, type Target } from './model.ts'
import { clusters, projects, spaces, subresources, targetNames, verbs, virtualClusters } from './words.ts'

const management: Target = { kind: 'management' }

/** A request that one of the entries allows. */
export function aimedRequest(chance: Chance, scope: Scope): Request {
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
      return {
        verb: 'get',
        path: '/metrics',
        target: chance.often(0.5)
          ? management
          : { kind: 'virtual-cluster', project: named(chance, project, projects), virtualCluster: name },
      }
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
