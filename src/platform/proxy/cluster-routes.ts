import { ApiError, notFound, unreachable } from '../../api/error.ts'
import { clusterRoleBindingOf, clusterRoleBindings, clusterRoleOfGroup } from '../../api/link.ts'
import type { Cluster, SpaceInstance } from '../../api/types/management.ts'
import type { Clock } from '../../base/clock.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { Forwarder } from '../../client/forward/contract.ts'
import { type ClosableForwarder, createHttpsForwarder } from '../../client/forward/over-https.ts'
import { RoleBindings } from '../../client/forward/role-bindings.ts'
import { type ClusterAccess, KubeconfigError } from '../../client/kubeconfig/contract.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { StoredDocument } from '../../registry/document.ts'
import { clusterAccessOf, kubeconfigPlace } from './cluster-access.ts'
import type { ClusterRoutes } from './upstream-route.ts'

export interface KubeconfigRoutesOptions {
  readonly clusters: () => ResourceContext
  readonly secrets: () => ResourceContext
  readonly clock: Clock
}

interface ClusterConnection {
  /** The versions of the Cluster and of the Secret. */
  readonly versions: string
  readonly access: Promise<ClusterAccess>
  readonly forwarder: Promise<ClosableForwarder>
  readonly bindings: RoleBindings
}

const spaceRolePrefix = 'platform:space-role:'
/** The name becomes part of a path. */
const namespaceName = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Routes to host clusters, by the kubeconfigs in Secrets of the platform. A changed Secret takes effect at once. */
export class KubeconfigRoutes implements ClusterRoutes {
  readonly #options: KubeconfigRoutesOptions
  readonly #connections = new Map<string, ClusterConnection>()

  constructor(options: KubeconfigRoutesOptions) {
    this.#options = options
  }

  cluster(name: string): Forwarder {
    return {
      forward: async (request) => {
        const { forwarder, bindings } = this.#connectionTo(name)
        const open = await forwarder.catch(explained)
        await bindings.ensure(open, request.headers, clusterWide)
        return open.forward(request)
      },
    }
  }

  space(document: StoredDocument): { readonly namespace: string; readonly forwarder: Forwarder } {
    const { cluster, namespace } = placeOf(document)
    return {
      namespace,
      forwarder: {
        forward: async (request) => {
          const { forwarder, bindings } = this.#connectionTo(cluster)
          const open = await forwarder.catch(explained)
          await bindings.ensure(open, request.headers, (group) => inNamespace(group, namespace))
          return open.forward(request)
        },
      },
    }
  }

  spaceRoleGroup(namespace: string, role: string): string {
    return `${spaceRolePrefix}${namespace}:${role === 'cluster-admin' ? 'admin' : role}`
  }

  close(): void {
    for (const { forwarder } of this.#connections.values()) forwarder.then((open) => open.close()).catch(() => {})
    this.#connections.clear()
  }

  /** For requests that the platform itself sends to a cluster. */
  async access(name: string): Promise<ClusterAccess> {
    return this.#connectionTo(name).access
  }

  #connectionTo(name: string): ClusterConnection {
    const { clock } = this.#options
    const { versions, text, where, isInsecure } = this.#kubeconfig(name)
    const known = this.#connections.get(name)
    if (known?.versions === versions) return known
    known?.forwarder.then((open) => open.close()).catch(() => {})
    const access = Promise.resolve().then(() => clusterAccessOf(text, where, clock, isInsecure))
    const forwarder = access.then((found) => createHttpsForwarder(found, {}))
    // Callers that await the forwarder get the error.
    forwarder.catch(() => {})
    const connection = { versions, access, forwarder, bindings: new RoleBindings(() => clock.now()) }
    this.#connections.set(name, connection)
    return connection
  }

  #kubeconfig(name: string) {
    const { clusters, secrets } = this.#options
    const cluster = clusters().cache.get({ namespace: '', name })
    if (cluster === undefined) throw notFound(clusters().kind, name)
    const place = kubeconfigPlace(cluster.object)
    const secret = secrets().cache.get(place)
    const where = `Secret ${place.namespace}/${place.name}`
    if (secret === undefined) throw unreachable(`cluster ${name}: its kubeconfig is missing: there is no ${where}`)
    const text = entryOf(secret, place.entry)
    if (text === undefined) throw unreachable(`cluster ${name}: ${where} has no entry ${place.entry}`)
    const isInsecure = (cluster.object as Cluster).spec?.insecure === true
    return { versions: `${cluster.resourceVersion} ${secret.resourceVersion}`, text, where, isInsecure }
  }
}

function explained(error: unknown): never {
  if (error instanceof ApiError) throw error
  throw error instanceof KubeconfigError ? unreachable(error.message) : error
}

function entryOf({ object }: StoredDocument, entry: string): string | undefined {
  const { data } = object
  const value = isJsonObject(data) && Object.hasOwn(data, entry) ? data[entry] : undefined
  return typeof value === 'string' ? Buffer.from(value, 'base64').toString() : undefined
}

function placeOf({ object, name }: StoredDocument): { readonly cluster: string; readonly namespace: string } {
  const { cluster = '', namespace = '' } = (object as SpaceInstance).spec?.clusterRef ?? {}
  if (cluster !== '' && namespaceName.test(namespace)) return { cluster, namespace }
  throw unreachable(`space ${name}: spec.clusterRef does not say where it is`)
}

const rbac = '/apis/rbac.authorization.k8s.io/v1'

function clusterWide(group: string) {
  const role = clusterRoleOfGroup(group)
  return role === undefined ? undefined : { url: clusterRoleBindings, object: clusterRoleBindingOf(role) }
}

function inNamespace(group: string, namespace: string) {
  const prefix = `${spaceRolePrefix}${namespace}:`
  if (!group.startsWith(prefix)) return undefined
  const { metadata: _, subjects: __, ...binding } = clusterRoleBindingOf(group.slice(prefix.length))
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: group }]
  return {
    url: `${rbac}/namespaces/${namespace}/rolebindings`,
    object: { ...binding, kind: 'RoleBinding', metadata: { name: group }, subjects },
  }
}
