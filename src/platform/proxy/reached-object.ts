import type { RequestTarget } from '../../api/access.ts'
import { projectNamespace } from '../../auth/scope/request.ts'

/** The management object for what a request reaches through the platform. */
export interface ReachedObject {
  readonly kind: 'Cluster' | 'SpaceInstance' | 'VirtualClusterInstance'
  readonly resource: string
  readonly namespace: string
  readonly name: string
}

/** Undefined for the platform itself. */
export function reachedObject(target: RequestTarget): ReachedObject | undefined {
  switch (target.kind) {
    case 'management':
      return undefined
    case 'cluster':
      return { kind: 'Cluster', resource: 'clusters', namespace: '', name: target.cluster }
    case 'space':
      return {
        kind: 'SpaceInstance',
        resource: 'spaceinstances',
        namespace: projectNamespace(target.project),
        name: target.space,
      }
    case 'virtual-cluster':
      return {
        kind: 'VirtualClusterInstance',
        resource: 'virtualclusterinstances',
        namespace: projectNamespace(target.project),
        name: target.virtualCluster,
      }
  }
}

export function reachedObjectText({ kind, namespace, name }: ReachedObject): string {
  const project = namespace.slice(projectNamespace('').length)
  switch (kind) {
    case 'Cluster':
      return `cluster ${JSON.stringify(name)}`
    case 'SpaceInstance':
      return `space ${JSON.stringify(name)} of project ${JSON.stringify(project)}`
    case 'VirtualClusterInstance':
      return `virtual cluster ${JSON.stringify(name)} of project ${JSON.stringify(project)}`
  }
}
