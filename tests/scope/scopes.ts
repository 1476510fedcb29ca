import type { Chance } from './chance.ts'
import type { RbacRule, Rights, Rule, Scope } from './model.ts'
import {
  clusters,
  groups,
  managementResources,
  namespaces,
  patterns,
  projects,
  roleNames,
  spaces,
  targetNames,
  urls,
  verbs,
  virtualClusters,
} from './words.ts'

/** A name in an entry: sometimes a wildcard, rarely empty. */
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

/** The owner may do nearly everything, so that the scope decides. */
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

/** A role in a namespace has no paths: the API refuses such a role. */
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
    resources: chance.some(
      [
        ...resources,
        ...managementResources,
        'virtualclusterinstances/link',
        '*/link',
        '*/token',
        'serviceaccounts/token',
      ],
      0.35,
    ),
    resourceNames: chance.often(0.2) ? chance.some(['x', 'v', 'a'], 0.5) : [],
    nonResourceURLs: chance.some(['*', '/metrics', '/logs*', '/healthz/*', '/version', '/api*'], 0.3),
  }
}
