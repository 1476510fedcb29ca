import type { RequestTarget, UserInfo } from '../../api/access.ts'
import { notFound } from '../../api/error.ts'
import { clusterRoleGroup } from '../../api/link.ts'
import type { Forwarder } from '../../client/forward/contract.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { StoredDocument } from '../../registry/document.ts'
import { caughtUp } from '../../registry/freshness.ts'
import type { RequestInfo } from '../../server/request/request-info.ts'
import { requireConfined } from './confined.ts'
import { type ReachedObject, reachedObject } from './reached-object.ts'
import { type RoleParts, rolesInside } from './roles-inside.ts'

export interface RouteParts extends RoleParts {
  readonly contextOf: (kind: ReachedObject['kind']) => ResourceContext
  /** The route to a virtual cluster; throws if it is offline. */
  readonly virtualCluster: (project: string, name: string) => Forwarder
  readonly clusters: ClusterRoutes
}

export interface ClusterRoutes {
  /** The route to a cluster. */
  cluster(name: string): Forwarder
  /** The route to the namespace of a space, and that namespace. Roles apply only there. */
  space(document: StoredDocument): { readonly namespace: string; readonly forwarder: Forwarder }
  spaceRoleGroup(namespace: string, role: string): string
}

export interface UpstreamRoute {
  readonly forwarder: Forwarder
  /** The user's ClusterRoles there, and the groups that have them. */
  readonly roles: readonly string[]
  readonly groups: readonly string[]
}

/**
 * Finds the route for a request of the user to an API behind the platform, and the identity it has there. Throws if
 * there is no route.
 */
export async function routeTo(
  parts: RouteParts,
  user: UserInfo,
  target: RequestTarget,
  info: RequestInfo,
): Promise<UpstreamRoute> {
  const object = reachedObject(target)
  if (object === undefined) throw new Error('The platform does not pass requests on to itself.')
  const document = await required(parts.contextOf(object.kind), object)
  const roles = await rolesInside(user, object, parts)
  return { roles, ...wayOf(parts, target, info, document, roles) }
}

function wayOf(
  { virtualCluster, clusters }: RouteParts,
  target: RequestTarget,
  info: RequestInfo,
  document: StoredDocument,
  roles: readonly string[],
): Omit<UpstreamRoute, 'roles'> {
  switch (target.kind) {
    case 'management':
      throw new Error('The platform does not pass requests on to itself.')
    case 'virtual-cluster':
      return { forwarder: virtualCluster(target.project, target.virtualCluster), groups: roles.map(clusterRoleGroup) }
    case 'cluster':
      return { forwarder: clusters.cluster(target.cluster), groups: roles.map(clusterRoleGroup) }
    case 'space': {
      const { namespace, forwarder } = clusters.space(document)
      requireConfined(info, namespace)
      return { forwarder, groups: roles.map((role) => clusters.spaceRoleGroup(namespace, role)) }
    }
  }
}

async function required(context: ResourceContext, { namespace, name }: ReachedObject): Promise<StoredDocument> {
  const known = context.cache.get({ namespace, name })
  if (known !== undefined) return known
  await caughtUp(context.engine)
  const document = context.cache.get({ namespace, name })
  if (document === undefined) throw notFound(context.kind, name)
  return document
}
