import type { Attributes, ResourceAttributes } from '../../api/access.ts'
import { all, covers, isResourceRequest, projectOfNamespace, targetOf } from './request.ts'

/** What the entries about projects, spaces, virtual clusters and clusters let through. */
export type TargetEntry =
  | { readonly kind: 'project'; readonly project: string }
  | { readonly kind: 'space'; readonly project: string; readonly space: string }
  | { readonly kind: 'virtual-cluster'; readonly project: string; readonly virtualCluster: string }
  | { readonly kind: 'cluster'; readonly cluster: string }

export function entryGrants(entry: TargetEntry, attributes: Attributes, managementGroup: string): boolean {
  const target = targetOf(attributes)
  switch (target.kind) {
    case 'management':
      return isResourceRequest(attributes) && attributes.group === managementGroup && ownsObject(entry, attributes)
    case 'cluster':
      return entry.kind === 'cluster' && covers(entry.cluster, target.cluster)
    case 'space':
      return (
        (entry.kind === 'project' && covers(entry.project, target.project)) ||
        (entry.kind === 'space' && covers(entry.project, target.project) && covers(entry.space, target.space))
      )
    case 'virtual-cluster':
      return (
        (entry.kind === 'project' && covers(entry.project, target.project)) ||
        (entry.kind === 'virtual-cluster' &&
          covers(entry.project, target.project) &&
          covers(entry.virtualCluster, target.virtualCluster))
      )
  }
}

/** The management object of what the entry names. Keys, users and teams belong to no project and to no cluster. */
function ownsObject(entry: TargetEntry, attributes: ResourceAttributes): boolean {
  const { resource, name } = attributes
  switch (entry.kind) {
    case 'project':
      return (resource === 'projects' && covers(entry.project, name)) || inProject(entry.project, attributes)
    case 'space':
      return resource === 'spaceinstances' && inProject(entry.project, attributes) && covers(entry.space, name)
    case 'virtual-cluster':
      return (
        resource === 'virtualclusterinstances' &&
        inProject(entry.project, attributes) &&
        covers(entry.virtualCluster, name)
      )
    case 'cluster':
      return resource === 'clusters' && covers(entry.cluster, name)
  }
}

/** Kinds whose objects live in the namespace of their project, and nowhere else. */
const projectKinds: ReadonlySet<string> = new Set(['spaceinstances', 'virtualclusterinstances'])

function inProject(project: string, { resource, namespace }: ResourceAttributes): boolean {
  if (!projectKinds.has(resource)) return false
  if (namespace === '') return project === all
  const actual = projectOfNamespace(namespace)
  return actual !== undefined && covers(project, actual)
}
