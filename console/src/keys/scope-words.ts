import type { AccessKeyScope, AccessKeySpec } from '../api/objects.ts'
import { andList, countedWord } from '../format/words.ts'

type Role = NonNullable<AccessKeyScope['roles']>[number]

export function isUnlimited(scope: AccessKeyScope | undefined): boolean {
  return scope === undefined || entryCount(scope) === 0
}

function entryCount({
  roles,
  projects,
  spaces,
  virtualClusters,
  clusters,
  rules,
  allowPlatformCli,
}: AccessKeyScope): number {
  const lists = [roles, projects, spaces, virtualClusters, clusters, rules]
  return lists.reduce((sum, list) => sum + (list?.length ?? 0), allowPlatformCli === true ? 1 : 0)
}

/** What a key can reach, in a few words. A refresh token grants nothing on the platform, whatever its owner may do. */
export function reachInShort({ type, oidcProvider, scope }: AccessKeySpec): string {
  return type === 'OIDCRefreshToken' ? `sign-in to ${oidcProvider?.clientId ?? ''} alone` : scopeInShort(scope)
}

/** A few words for a table: `everything`, `role tenant`, `projects a, b`. */
export function scopeInShort(scope: AccessKeyScope | undefined): string {
  if (scope === undefined || isUnlimited(scope)) return 'everything'
  return [
    ...(scope.roles ?? []).map(
      ({ role = '', projects, virtualClusters }) =>
        `role ${role}${limitInShort('', virtualClusters)}${limitInShort('in ', projects)}`,
    ),
    ...named(
      'project',
      (scope.projects ?? []).map(({ project = '' }) => project),
    ),
    ...named(
      'space',
      (scope.spaces ?? []).map(({ project = '', space = '' }) => `${project}/${space}`),
    ),
    ...named(
      'virtual cluster',
      (scope.virtualClusters ?? []).map(({ project = '', virtualCluster = '' }) => `${project}/${virtualCluster}`),
    ),
    ...named(
      'cluster',
      (scope.clusters ?? []).map(({ cluster = '' }) => cluster),
    ),
    ...((scope.rules?.length ?? 0) > 0 ? [countedWord(scope.rules?.length ?? 0, 'rule')] : []),
    ...(scope.allowPlatformCli === true ? ['command line'] : []),
  ].join(', ')
}

function limitInShort(before: string, names: readonly string[] | undefined): string {
  return isAll(names) ? '' : ` ${before}${names?.join(', ')}`
}

function isAll(names: readonly string[] | undefined): boolean {
  return names === undefined || names.length === 0 || names.includes('*')
}

function named(noun: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return []
  return names.includes('*') ? [`all ${noun}s`] : [`${noun}${names.length === 1 ? '' : 's'} ${names.join(', ')}`]
}

const roleWords: Readonly<Record<string, string>> = {
  tenant: 'register and link virtual clusters',
  agent: 'register and link host clusters',
  platformCLI: 'make the read-only requests that the command line needs',
  'platform-cli': 'make the read-only requests that the command line needs',
  'metrics-reader': 'read the metrics of the platform',
}

export const roleCatalog: readonly string[] = ['tenant', 'agent', 'platformCLI', 'metrics-reader']

/**
 * Whether a role can be limited to projects. Host clusters belong to none, so the role of an agent would be left with
 * nothing.
 */
export function isAboutProjects(role: string): boolean {
  return role === 'tenant' || role === 'platformCLI' || role === 'platform-cli'
}

export function roleInWords(role: string): string {
  return roleWords[role] ?? `use the role ${role}`
}

/** What the scope allows, as parts of a sentence that begins with "It may". */
export function grantsInWords(scope: AccessKeyScope | undefined): readonly string[] {
  if (scope === undefined || isUnlimited(scope)) return ['do everything that its owner may do']
  return [
    ...(scope.roles ?? []).map(roleSentence),
    ...(scope.projects ?? []).map(({ project = '' }) =>
      project === '*' ? 'work in every project' : `work with everything in the project ${project}`,
    ),
    ...(scope.virtualClusters ?? []).map(({ project = '', virtualCluster = '' }) =>
      inProject('virtual cluster', virtualCluster, project),
    ),
    ...(scope.spaces ?? []).map(({ project = '', space = '' }) => inProject('space', space, project)),
    ...(scope.clusters ?? []).map(({ cluster = '' }) =>
      cluster === '*' ? 'reach every host cluster' : `reach the host cluster ${cluster}`,
    ),
    ...((scope.rules?.length ?? 0) > 0
      ? [`make requests that fit ${countedWord(scope.rules?.length ?? 0, 'rule')}`]
      : []),
    ...(scope.allowPlatformCli === true ? ['make the read-only requests that the command line needs'] : []),
  ]
}

function roleSentence({ role = '', projects, virtualClusters }: Role): string {
  const words = roleInWords(role)
  const isLimited = !isAll(projects) || !isAll(virtualClusters)
  if (role === 'agent' && isLimited) return 'read which features are licensed, because it is limited to projects'
  if (!isAboutProjects(role)) return words
  const only = isAll(virtualClusters) ? '' : ` named ${andList(virtualClusters ?? [])}`
  return `${words}${only}${isAll(projects) ? ' in every project' : ` in ${andList(projects ?? [])}`}`
}

function inProject(noun: string, name: string, project: string): string {
  const which = name === '*' ? `every ${noun}` : `the ${noun} ${name}`
  return `use ${which} ${project === '*' ? 'of every project' : `in the project ${project}`}`
}
