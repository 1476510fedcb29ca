import type { AccessKeyScope } from '../../api/types/management.ts'

type Entries = readonly string[]

/** What a key may do, one line for each entry of its scope. No lines: everything that its owner may do. */
export function scopeWords(scope: AccessKeyScope | undefined): Entries {
  const { roles = [], projects = [], spaces = [], virtualClusters = [], clusters = [], rules = [] } = scope ?? {}
  return [
    ...roles.map(
      ({ role = '', projects: within = [], virtualClusters: narrowed = [] }) =>
        `role ${role}${listed(' in', 'project', within)}${listed(' for', 'virtual cluster', narrowed)}`,
    ),
    ...projects.map(({ project = '' }) => one('project', project)),
    ...spaces.map(({ project = '', space = '' }) => `${one('space', space)} of ${one('project', project)}`),
    ...virtualClusters.map(
      ({ project = '', virtualCluster = '' }) =>
        `${one('virtual cluster', virtualCluster)} of ${one('project', project)}`,
    ),
    ...clusters.map(({ cluster = '' }) => one('cluster', cluster)),
    ...(rules.length === 0 ? [] : [`${rules.length} deprecated ${rules.length === 1 ? 'rule' : 'rules'}`]),
    ...(scope?.allowPlatformCli === true ? ['role platformCLI'] : []),
  ]
}

function one(noun: string, name: string): string {
  return name === '*' ? `every ${noun}` : `${noun} ${name}`
}

function listed(preposition: string, noun: string, names: Entries): string {
  if (names.length === 0 || names.includes('*')) return ''
  return `${preposition} ${noun}${names.length === 1 ? '' : 's'} ${names.join(', ')}`
}
