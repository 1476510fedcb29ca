import type { Attributes, KeyScope, ScopeVerdict } from '../../api/access.ts'
import type { AccessKeyScope } from '../../api/management/access-key-types.ts'
import { isAlwaysGranted } from './always.ts'
import { roleNamed } from './roles.ts'
import { type IsClusterScoped, ruleGrants } from './rule.ts'
import { entryGrants, type TargetEntry } from './target-entries.ts'

export interface ScopeEnvironment {
  /** The API group of the platform's own kinds. */
  readonly managementGroup: string
  readonly isClusterScoped: IsClusterScoped
}

/** One entry of a scope: where it stands, and what it lets through. */
interface Entry {
  readonly path: string
  readonly grants: (attributes: Attributes) => boolean
}

const refused: ScopeVerdict = { granted: false, reason: "no entry of the access key's scope covers the request" }
const always: ScopeVerdict = { granted: true, entry: '' }

/** Undefined for a scope that limits nothing. A request is granted if any entry grants it. */
export function compileScope(scope: AccessKeyScope | undefined, environment: ScopeEnvironment): KeyScope | undefined {
  const entries = scope === undefined ? [] : entriesOf(scope, environment)
  if (entries.length === 0) return undefined
  return {
    grant: (attributes) => {
      if (isAlwaysGranted(attributes, environment.managementGroup)) return always
      const entry = entries.find(({ grants }) => grants(attributes))
      return entry === undefined ? refused : { granted: true, entry: entry.path }
    },
  }
}

function entriesOf(scope: AccessKeyScope, environment: ScopeEnvironment): readonly Entry[] {
  return [...roleEntries(scope, environment), ...targetEntries(scope, environment), ...ruleEntries(scope, environment)]
}

/** The deprecated switch for the command line is a role entry by another name. */
function roleEntries(scope: AccessKeyScope, { managementGroup }: ScopeEnvironment): readonly Entry[] {
  const given = (scope.roles ?? []).map((entry, index) => ({ entry, path: `spec.scope.roles[${index}]` }))
  const cli = scope.allowPlatformCli === true ? [{ entry: cliRole, path: 'spec.scope.allowPlatformCli' }] : []
  return [...given, ...cli].map(({ entry, path }) => {
    const role = roleNamed(entry.role ?? '')
    const narrowing = { projects: entry.projects ?? [], virtualClusters: entry.virtualClusters ?? [] }
    return { path, grants: (attributes) => role?.grants(attributes, narrowing, managementGroup) === true }
  })
}

const cliRole = { role: 'platformCLI', projects: [], virtualClusters: [] }

function targetEntries(scope: AccessKeyScope, { managementGroup }: ScopeEnvironment): readonly Entry[] {
  const listed = (list: string, entries: readonly TargetEntry[]): readonly Entry[] =>
    entries.map((entry, index) => ({
      path: `spec.scope.${list}[${index}]`,
      grants: (attributes) => entryGrants(entry, attributes, managementGroup),
    }))
  return [
    ...listed(
      'projects',
      (scope.projects ?? []).map(({ project = '' }) => ({ kind: 'project', project })),
    ),
    ...listed(
      'spaces',
      (scope.spaces ?? []).map(({ project = '', space = '' }) => ({ kind: 'space', project, space })),
    ),
    ...listed(
      'virtualClusters',
      (scope.virtualClusters ?? []).map(({ project = '', virtualCluster = '' }) => ({
        kind: 'virtual-cluster',
        project,
        virtualCluster,
      })),
    ),
    ...listed(
      'clusters',
      (scope.clusters ?? []).map(({ cluster = '' }) => ({ kind: 'cluster', cluster })),
    ),
  ]
}

function ruleEntries(scope: AccessKeyScope, { isClusterScoped }: ScopeEnvironment): readonly Entry[] {
  return (scope.rules ?? []).map((rule, index) => ({
    path: `spec.scope.rules[${index}]`,
    grants: (attributes) => ruleGrants(rule, attributes, isClusterScoped),
  }))
}
