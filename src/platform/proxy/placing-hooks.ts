import type { Decision, ResourceAttributes, UserInfo } from '../../api/access.ts'
import { forbiddenFor } from '../../api/forbidden.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import type { SpaceInstance, VirtualClusterInstance } from '../../api/types/management.ts'
import { deepEqual } from '../../base/equal.ts'
import { asMembers } from '../../base/json/lenient.ts'
import type { Hooks } from '../../registry/context.ts'
import type { WriteRequest } from '../../registry/contract.ts'
import { isPlatform } from '../platform-user.ts'
import { accessGrantsOf } from '../projects/access-grants.ts'
import { isUnexplained } from '../projects/who-could-allow.ts'
import { requireAll, rightsOnObject } from '../rights.ts'
import { kubeconfigPlace } from './cluster-access.ts'
import { type FullPlace, placeWithDefaults, usualPlaceFor } from './usual-place.ts'

/**
 * The platform uses its own credentials to reach the place that an object names. So the writer of that place needs
 * rights there: for a space, and for a role of the host in it, to administer the cluster; for a cluster, to read the
 * Secret with its kubeconfig; for a virtual cluster that the platform deploys, and whose configuration may import
 * anything from the host, to administer the cluster too. Otherwise rights on one object would be rights on whatever it
 * points to. Removing an object from its place, or moving it to another cluster, deletes it there with all its
 * contents, which takes the right to delete it. A virtual cluster without a configuration, in the place that its
 * project reserves for it, only takes the right to deploy there.
 */
export function withPlacing(kind: Kind, hooks: Hooks): Hooks {
  return {
    ...hooks,
    admitCreate: async (object, request) => {
      const placed = await placedFor(kind, object, request)
      return (await hooks.admitCreate?.(placed, request)) ?? { object: placed }
    },
    admitUpdate: async (object, old, request) => {
      await requireRights(kind, object, old.object, request)
      return (await hooks.admitUpdate?.(object, old, request)) ?? { object }
    },
  }
}

/** The new object. If it is deployed on a cluster, its place is filled in completely. */
async function placedFor(kind: Kind, object: KubeObject, request: WriteRequest): Promise<KubeObject> {
  if (kind.kind !== 'VirtualClusterInstance' || clusterOf(object) === '') {
    await requireRights(kind, object, undefined, request)
    return object
  }
  const place = await allowedPlace(kind, object, request)
  return { ...object, spec: { ...asMembers(object.spec), clusterRef: place } }
}

/** Callers who administer the cluster choose the place. Others get the one reserved for them. */
async function allowedPlace(kind: Kind, object: VirtualClusterInstance, request: WriteRequest): Promise<FullPlace> {
  const chosen = placeWithDefaults(object)
  if (isPlatform(request.user)) return chosen
  const administers = administering(kind, chosen.cluster, request.user)
  const decision = await request.authorize(administers)
  if (decision.verdict === 'allow') return chosen
  const usual = usualPlaceFor(object)
  if (usual === undefined) throw forbiddenFor(administers, because(decision, configuredTakes))
  const deploys = { ...administers, verb: 'deploy' }
  const allowed = await request.authorize(deploys)
  if (allowed.verdict !== 'allow') throw forbiddenFor(deploys, because(allowed, deployingTakes))
  return usual
}

const deployingTakes = 'who administers the cluster can allow it by the verb deploy in its spec.access'
const configuredTakes =
  'a configuration, a host namespace and a name on the host are chosen by those who administer the cluster; without them, deploy is enough'

/** A reason given by a scope or a role takes precedence. */
function because(decision: Decision, reason: string): Decision {
  return isUnexplained(decision) ? { ...decision, reason } : decision
}

async function requireRights(
  kind: Kind,
  object: KubeObject,
  old: KubeObject | undefined,
  request: WriteRequest,
): Promise<void> {
  if (isPlatform(request.user)) return
  const isSamePlace = old !== undefined && deepEqual(placeOf(object), placeOf(old))
  const needed = isSamePlace ? undefined : neededFor(kind, object, request.user)
  if (needed !== undefined) await requireAll(request, [needed])
  if (kind.kind === 'VirtualClusterInstance' && old !== undefined && leavesPlace(object, old))
    await requireAll(request, rightsOnObject(kind, object, request.user, ['delete']))
  if (kind.kind === 'SpaceInstance' && addsHostRole(object, old))
    await requireAll(request, [administering(kind, clusterOf(object), request.user)])
}

/**
 * Roles that Kubernetes defines for namespaces; `cluster-admin` becomes `admin` in a space. Empty: the grant gives no
 * role.
 */
const rolesOfSpaces: ReadonlySet<string> = new Set(['', 'admin', 'cluster-admin', 'edit', 'view'])

/**
 * Whether `spec.access` of a space newly names a role of the host that is not made for namespaces. The platform would
 * bind it, and it may contain rights that admins of a namespace lack, such as those on its quota.
 */
function addsHostRole(object: KubeObject, old: KubeObject | undefined): boolean {
  const known = new Set(old === undefined ? [] : accessGrantsOf(old).map((grant) => JSON.stringify(grant)))
  return accessGrantsOf(object).some(
    (grant) => !rolesOfSpaces.has(grant.clusterRole) && !known.has(JSON.stringify(grant)),
  )
}

/** The fields that decide where an object is placed, and what is deployed there. */
function placeOf({ spec }: KubeObject): unknown {
  const { config, clusterRef, external, insecure } = asMembers(spec)
  return { config, clusterRef, external, insecure }
}

function neededFor(kind: Kind, object: KubeObject, user: UserInfo): ResourceAttributes | undefined {
  const base = { user, version: 'v1', subresource: '' }
  switch (kind.kind) {
    case 'Cluster': {
      const { namespace, name } = kubeconfigPlace(object)
      return name === '' ? undefined : { ...base, verb: 'get', group: '', resource: 'secrets', namespace, name }
    }
    case 'SpaceInstance': {
      const name = clusterOf(object)
      return name === '' ? undefined : administering(kind, name, user)
    }
    case 'VirtualClusterInstance':
      return isDeployedHere(object) ? administering(kind, clusterOf(object), user) : undefined
    default:
      return undefined
  }
}

/** Without a name: all clusters. */
function administering({ group }: Kind, name: string, user: UserInfo): ResourceAttributes {
  const resource = 'clusters'
  return { user, verb: 'administer', group, version: 'v1', resource, subresource: '', namespace: '', name }
}

/** A virtual cluster that is placed on a cluster of the platform is deployed there, whatever `spec.external` says. */
function isDeployedHere(object: KubeObject): boolean {
  return (object as VirtualClusterInstance).spec?.external === false || clusterOf(object) !== ''
}

/** Whether the object moves to another cluster, or to none: the deployment on the previous one is removed. */
function leavesPlace(object: KubeObject, old: KubeObject): boolean {
  if (!isDeployedHere(old)) return false
  return !isDeployedHere(object) || (clusterOf(old) !== '' && clusterOf(old) !== clusterOf(object))
}

function clusterOf(object: KubeObject): string {
  return (object as SpaceInstance | VirtualClusterInstance).spec?.clusterRef?.cluster ?? ''
}
