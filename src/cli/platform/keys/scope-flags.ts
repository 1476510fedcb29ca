import { type Command, InvalidArgumentError } from 'commander'
import type { AccessKeyScope, ScopeRole } from '../../../api/types/management.ts'

/** As given by flags: each list is absent if its flag is. */
export interface ScopeFlags {
  readonly project?: readonly string[]
  readonly space?: readonly InProject[]
  readonly virtualCluster?: readonly InProject[]
  readonly cluster?: readonly string[]
  readonly role?: readonly ScopeRole[]
}

interface InProject {
  readonly project: string
  readonly name: string
}

export function addScopeOptions(command: Command): Command {
  return command
    .option('--project <project>', 'everything in a project; * for all', each(nonEmpty))
    .option('--space <project/space>', 'one space with its content; * for all', each(inProject))
    .option('--virtual-cluster <project/name>', 'one virtual cluster with its content; * for all', each(inProject))
    .option('--cluster <cluster>', 'one host cluster; * for all', each(nonEmpty))
    .option(
      '--role <role[:project[/virtual-cluster],…]>',
      'tenant, agent, platformCLI or metrics-reader, in all or some projects, or for some virtual clusters of one',
      each(role),
    )
}

/** Undefined: no flag limits the key. */
export function scopeOf(flags: ScopeFlags): AccessKeyScope | undefined {
  const scope: AccessKeyScope = {
    ...(flags.role && { roles: flags.role }),
    ...(flags.project && { projects: flags.project.map((project) => ({ project })) }),
    ...(flags.space && { spaces: flags.space.map(({ project, name: space }) => ({ project, space })) }),
    ...(flags.virtualCluster && {
      virtualClusters: flags.virtualCluster.map(({ project, name }) => ({ project, virtualCluster: name })),
    }),
    ...(flags.cluster && { clusters: flags.cluster.map((cluster) => ({ cluster })) }),
  }
  return Object.keys(scope).length === 0 ? undefined : scope
}

/** For repeatable flags. */
function each<T>(read: (text: string) => T): (text: string, before?: readonly T[]) => readonly T[] {
  return (text, before = []) => [...before, read(text)]
}

function nonEmpty(text: string): string {
  if (text.trim() !== '') return text.trim()
  throw new InvalidArgumentError('It must not be empty.')
}

function inProject(text: string): InProject {
  const [project = '', name = '', ...more] = text.split('/').map((part) => part.trim())
  if (project !== '' && name !== '' && more.length === 0) return { project, name }
  throw new InvalidArgumentError('It must be a project and a name, such as web/staging.')
}

function role(text: string): ScopeRole {
  const colon = text.indexOf(':')
  if (colon < 0) return { role: nonEmpty(text), projects: ['*'] }
  const places = text
    .slice(colon + 1)
    .split(',')
    .map(nonEmpty)
  return { role: nonEmpty(text.slice(0, colon)), ...placesOf(places) }
}

/**
 * Two lists cannot express which virtual cluster belongs to which project, so there must be one project, or no virtual
 * cluster.
 */
function placesOf(places: readonly string[]): Pick<ScopeRole, 'projects' | 'virtualClusters'> {
  if (!places.some((place) => place.includes('/'))) return { projects: places }
  const found = places.map(inProject)
  const projects = [...new Set(found.map(({ project }) => project))]
  if (projects.length === 1) return { projects, virtualClusters: found.map(({ name }) => name) }
  throw new InvalidArgumentError('Use a separate --role for the virtual clusters of each project.')
}
