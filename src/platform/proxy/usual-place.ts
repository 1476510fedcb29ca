import { hash } from 'node:crypto'
import { validateLabel } from '../../api/names.ts'
import type { VirtualClusterInstance } from '../../api/types/management.ts'
import { projectOfNamespace } from '../../auth/scope/request.ts'

type ClusterRef = NonNullable<NonNullable<VirtualClusterInstance['spec']>['clusterRef']>

/** A place on a cluster with every field set. */
export type FullPlace = Required<ClusterRef>

/** The place of a virtual cluster, with defaults for the fields that its object leaves out. */
export function placeWithDefaults({ metadata: { name = '' }, spec }: VirtualClusterInstance): FullPlace {
  const { cluster = '', namespace, virtualCluster } = spec?.clusterRef ?? {}
  return { cluster, namespace: namespace || `tenant-${name}`, virtualCluster: virtualCluster || name }
}

/**
 * The place that a member of a project gets without choosing it: one that no other project has. Undefined: the object
 * asks for another place, for no cluster, or for a configuration, which may import anything from the host.
 */
export function usualPlaceFor({ metadata, spec = {} }: VirtualClusterInstance): FullPlace | undefined {
  const { name = '', namespace: home = '' } = metadata
  const project = projectOfNamespace(home)
  const { cluster = '', namespace, virtualCluster } = spec.clusterRef ?? {}
  if (project === undefined || cluster === '' || !isWithoutConfig(spec.config)) return undefined
  const usual = { cluster, namespace: usualNamespace(project, name), virtualCluster: name }
  const isUsual = [usual.namespace, ''].includes(namespace ?? '') && [name, ''].includes(virtualCluster ?? '')
  // The namespace alone is not enough: if project and name are long, it contains only the beginning of the name.
  const isNameable = [name, usual.namespace].every((each) => validateLabel(each).length === 0)
  return isUsual && isNameable ? usual : undefined
}

/** Includes the form that the command line writes. */
function isWithoutConfig(config = ''): boolean {
  return ['', '{}'].includes(config.trim())
}

const longestLabel = 63
const digestLength = 12

/**
 * The hash keeps `a-b` of one project apart from `b` of project `x-a`, and from namespaces that an administrator named
 * alike.
 */
function usualNamespace(project: string, name: string): string {
  const digest = hash('sha256', `${project}\0${name}`, 'hex').slice(0, digestLength)
  return `${`tenant-${project}-${name}`.slice(0, longestLabel - digestLength - 1)}-${digest}`
}
