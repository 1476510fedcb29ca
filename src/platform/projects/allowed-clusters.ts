import { forbidden } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Project, SpaceInstance, VirtualClusterInstance } from '../../api/types/management.ts'
import { projectOfNamespace } from '../../auth/scope/request.ts'
import type { Hooks, ResourceContext } from '../../registry/context.ts'

/**
 * A project that names clusters uses no others. Admins of the project may change the list, so it only prevents
 * mistakes; rights on a cluster are decided there.
 */
export function withAllowedClusters(kind: Kind, hooks: Hooks, projects: () => ResourceContext | undefined): Hooks {
  const check = (object: KubeObject, old?: KubeObject) => {
    const cluster = clusterNamed(object)
    if (cluster === '' || (old !== undefined && clusterNamed(old) === cluster)) return
    const { name = '', namespace = '' } = object.metadata
    const project = projectOfNamespace(namespace)
    const found = project === undefined ? undefined : projects()?.cache.get({ namespace: '', name: project })
    if (found === undefined || allows(found.object as Project, cluster)) return
    const remedy = `spec.allowedClusters of project ${project} does not name cluster ${cluster}; admins of the project can add it`
    throw forbidden(kind, name, remedy)
  }
  return {
    ...hooks,
    admitCreate: async (object, request) => {
      check(object)
      return (await hooks.admitCreate?.(object, request)) ?? { object }
    },
    admitUpdate: async (object, old, request) => {
      check(object, old.object)
      return (await hooks.admitUpdate?.(object, old, request)) ?? { object }
    },
  }
}

function allows({ spec }: Project, cluster: string): boolean {
  const { allowedClusters = ['*'] } = spec ?? {}
  return allowedClusters.includes('*') || allowedClusters.includes(cluster)
}

function clusterNamed(object: KubeObject): string {
  return (object as SpaceInstance | VirtualClusterInstance).spec?.clusterRef?.cluster ?? ''
}
