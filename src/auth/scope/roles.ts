import type { Attributes, ResourceAttributes } from '../../api/access.ts'
import { all, isResourceRequest, projectOfNamespace, targetOf } from './request.ts'

/** What the entry in the scope narrows the role to. Empty, or a `*`, is all of the owner's. */
export interface Narrowing {
  readonly projects: readonly string[]
  readonly virtualClusters: readonly string[]
}

interface RoleDefinition {
  readonly names: readonly string[]
  readonly grants: (attributes: Attributes, narrowing: Narrowing, managementGroup: string) => boolean
}

const reading: ReadonlySet<string> = new Set(['get', 'list', 'watch'])
const reporting: ReadonlySet<string> = new Set(['get', 'list', 'watch', 'create', 'update', 'patch'])

/** The roles that a scope may name. None of them reaches access keys. */
const catalogue: readonly RoleDefinition[] = [
  {
    names: ['tenant'],
    grants: (attributes, narrowing, group) =>
      isAbout(attributes, group) &&
      (reportsOn(attributes, 'virtualclusterinstances')
        ? withinProject(attributes, narrowing) && withinVirtualCluster(attributes, narrowing)
        : readsFeatures(attributes)),
  },
  {
    names: ['agent'],
    grants: (attributes, narrowing, group) =>
      isAbout(attributes, group) &&
      (reportsOn(attributes, 'clusters') ? isUnlimited(narrowing) : readsFeatures(attributes)),
  },
  {
    names: ['platformCLI', 'platform-cli'],
    grants: (attributes, narrowing, group) =>
      isAbout(attributes, group) && reading.has(attributes.verb) && shownByCli(attributes, narrowing),
  },
  {
    names: ['metrics-reader'],
    grants: (attributes) =>
      !isResourceRequest(attributes) &&
      targetOf(attributes).kind === 'management' &&
      attributes.verb === 'get' &&
      attributes.path === '/metrics',
  },
]

export const roleNames: readonly string[] = catalogue.flatMap(({ names }) => names)

export function roleNamed(name: string): RoleDefinition | undefined {
  return catalogue.find(({ names }) => names.includes(name))
}

function isAbout(attributes: Attributes, managementGroup: string): attributes is ResourceAttributes {
  return (
    isResourceRequest(attributes) && targetOf(attributes).kind === 'management' && attributes.group === managementGroup
  )
}

function reportsOn({ resource, verb }: ResourceAttributes, expected: string): boolean {
  return resource === expected && reporting.has(verb)
}

/** Which features of the licence are in force. */
function readsFeatures({ resource, verb }: ResourceAttributes): boolean {
  return resource === 'features' && reading.has(verb)
}

const cliKinds: ReadonlySet<string> = new Set(['clusters', 'users', 'teams'])

function shownByCli(attributes: ResourceAttributes, narrowing: Narrowing): boolean {
  switch (attributes.resource) {
    case 'projects':
      return names(narrowing.projects, attributes.name) && isWide(narrowing.virtualClusters)
    case 'spaceinstances':
      return withinProject(attributes, narrowing) && isWide(narrowing.virtualClusters)
    case 'virtualclusterinstances':
      return withinProject(attributes, narrowing) && withinVirtualCluster(attributes, narrowing)
    default:
      return cliKinds.has(attributes.resource) && isUnlimited(narrowing)
  }
}

function withinProject({ namespace }: ResourceAttributes, { projects }: Narrowing): boolean {
  return namespace === '' ? isWide(projects) : names(projects, projectOfNamespace(namespace) ?? '')
}

function withinVirtualCluster({ name }: ResourceAttributes, { virtualClusters }: Narrowing): boolean {
  return names(virtualClusters, name)
}

/** A request that names nothing is about all. A namespace that belongs to no project is nobody's. */
function names(wanted: readonly string[], actual: string): boolean {
  return isWide(wanted) || (actual !== '' && wanted.includes(actual))
}

function isWide(wanted: readonly string[]): boolean {
  return wanted.length === 0 || wanted.includes(all)
}

function isUnlimited({ projects, virtualClusters }: Narrowing): boolean {
  return isWide(projects) && isWide(virtualClusters)
}
