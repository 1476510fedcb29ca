import type { ScopeRole } from '../../api/types/management.ts'
import type { ScopeEnvironment, ScopeGrant } from './grant.ts'
import { managementGrant } from './management-grant.ts'
import type { Namespaces } from './namespace-pattern.ts'
import { linkedResource, linkSubresources } from './privilege.ts'
import { projectNamespace } from './request.ts'
import type { ResourcePattern } from './resource-pattern.ts'
import { managementTarget, type TargetPattern } from './target-pattern.ts'
import { namedTexts, type Texts, textsOf } from './texts.ts'

/** Limits of the entry on the role. Undefined: everything the owner has. */
interface Narrowing {
  readonly projects: Texts
  readonly virtualClusters: Texts
}

interface RoleDefinition {
  readonly names: readonly string[]
  readonly grants: (entry: string, groups: Texts, narrowing: Narrowing) => readonly ScopeGrant[]
}

/** The roles that a scope may name. None of them includes access keys. */
const catalog: readonly RoleDefinition[] = [
  { names: ['tenant'], grants: tenantGrants },
  { names: ['agent'], grants: agentGrants },
  { names: ['platformCLI', 'platform-cli'], grants: cliGrants },
  { names: ['metrics-reader'], grants: metricsGrants },
]

export const roleNames: readonly string[] = catalog.flatMap(({ names }) => names)

/** An unknown role grants nothing. */
export function roleGrants(
  entry: string,
  { role, projects, virtualClusters }: ScopeRole,
  { managementGroup }: ScopeEnvironment,
): readonly ScopeGrant[] {
  const definition = catalog.find(({ names }) => names.includes(role ?? ''))
  const narrowing = { projects: textsOf(projects), virtualClusters: textsOf(virtualClusters) }
  return definition?.grants(entry, namedTexts([managementGroup]), narrowing) ?? []
}

const reading: Texts = new Set(['get', 'list', 'watch'])
const reporting: Texts = new Set(['get', 'update', 'patch'])
const connecting: Texts = new Set(['get', 'create', 'update', 'patch'])

/** Registers and links virtual clusters. The platform itself writes what is recorded about them. */
function tenantGrants(entry: string, groups: Texts, narrowing: Narrowing): readonly ScopeGrant[] {
  const limits = { names: narrowing.virtualClusters, namespaces: namespacesOfProjects(narrowing.projects) }
  return [
    managementGrant({ entry, groups, ...limits, verbs: reading, resources: readable(linkedResource) }),
    managementGrant({
      entry,
      groups,
      ...limits,
      verbs: connecting,
      resources: connections(linkedResource),
      privilege: 'links',
    }),
    features(entry, groups),
  ]
}

/** The same for a host cluster, which belongs to no project, so a narrowed role includes none. */
function agentGrants(entry: string, groups: Texts, narrowing: Narrowing): readonly ScopeGrant[] {
  if (!isUnlimited(narrowing)) return [features(entry, groups)]
  return [
    managementGrant({ entry, groups, verbs: reading, resources: [shown('clusters')] }),
    managementGrant({ entry, groups, verbs: reporting, resources: [status('clusters')] }),
    managementGrant({ entry, groups, verbs: connecting, resources: connections('clusters') }),
    features(entry, groups),
  ]
}

/** For listing and connecting: projects with their contents, and the users, teams and clusters around them. */
function cliGrants(entry: string, groups: Texts, narrowing: Narrowing): readonly ScopeGrant[] {
  const namespaces = namespacesOfProjects(narrowing.projects)
  const names = narrowing.virtualClusters
  const virtualClusters = managementGrant({
    entry,
    groups,
    verbs: reading,
    resources: readable(linkedResource),
    names,
    namespaces,
  })
  if (names !== undefined) return [virtualClusters]
  const projects = { verbs: reading, resources: readable('projects'), names: narrowing.projects }
  const spaces = { verbs: reading, resources: readable('spaceinstances'), namespaces }
  const inProjects = [
    virtualClusters,
    managementGrant({ entry, groups, ...projects }),
    managementGrant({ entry, groups, ...spaces }),
  ]
  if (narrowing.projects !== undefined) return inProjects
  const others = ['clusters', 'users', 'teams'].flatMap(readable)
  return [...inProjects, managementGrant({ entry, groups, verbs: reading, resources: others })]
}

/**
 * Metrics of virtual clusters, and of the platform. The latter cover all projects at once, so a narrowed role does not
 * include them.
 */
function metricsGrants(entry: string, _: Texts, narrowing: Narrowing): readonly ScopeGrant[] {
  const paths = [{ form: 'exact', path: '/metrics' }] as const
  const inside: TargetPattern = {
    kind: 'virtual-cluster',
    project: narrowing.projects,
    virtualCluster: narrowing.virtualClusters,
  }
  const targets = isUnlimited(narrowing) ? [managementTarget, inside] : [inside]
  return targets.map((target) => ({ form: 'path', entry, target, verbs: new Set(['get']), paths }))
}

/** The right to read which licensed features are in force. */
function features(entry: string, groups: Texts): ScopeGrant {
  return managementGrant({ entry, groups, verbs: reading, resources: [shown('features')] })
}

function shown(parent: string): ResourcePattern {
  return { parent, child: '' }
}

function status(parent: string): ResourcePattern {
  return { parent, child: 'status' }
}

function readable(parent: string): readonly ResourcePattern[] {
  return [shown(parent), status(parent)]
}

function connections(parent: string): readonly ResourcePattern[] {
  return [...linkSubresources].map((child) => ({ parent, child }))
}

function namespacesOfProjects(projects: Texts): Namespaces {
  return projects && { names: new Set([...projects].map(projectNamespace)), outside: false }
}

function isUnlimited({ projects, virtualClusters }: Narrowing): boolean {
  return projects === undefined && virtualClusters === undefined
}
