import { copyName } from '../../chaos/names.ts'
import type { Access, ClusterClient } from './cluster-client.ts'
import type { Cluster } from './clusters.ts'
import { type Collection, configMaps, endpoints, events, secrets, services, type Thing } from './objects.ts'
import type { PairedClusters, Pairing } from './pairings.ts'
import { createSyncer, type Syncer } from './syncer.ts'

/** A tenant between the two clusters of a pairing, its syncer running. */
export interface Tenant {
  readonly name: string
  readonly hostNamespace: string
  readonly syncer: Syncer
  /** The labels of all its copies. */
  readonly marks: Readonly<Record<string, string>>
  /** The name of the copy of an object. */
  hostName(namespace: string, name: string): string
  /** The copy, which must exist. */
  copy(kind: Collection, namespace: string, name: string): Promise<Thing>
  findCopy(kind: Collection, namespace: string, name: string): Promise<Thing | undefined>
  patchCopy(kind: Collection, namespace: string, name: string, patch: unknown): Promise<Thing>
  remove(): Promise<void>
}

export interface TenantOptions {
  readonly name?: string
  readonly hostNamespace?: string
  /** tenant.yaml as data. */
  readonly config?: object
  /** Other access to the clusters, for tests that disturb it. */
  readonly hostAccess?: Access
  readonly virtualAccess?: Access
  /** Another virtual cluster. */
  readonly virtual?: Cluster
  /** The tenant is not started. */
  readonly isAsleep?: boolean
  /** Additional flags of `tenant run`. */
  readonly flags?: readonly string[]
}

const carried = [endpoints, services, configMaps, secrets]

/** Both clusters of a pairing, as tests use them. */
export interface Stage {
  readonly pairing: Pairing
  readonly virtual: ClusterClient
  readonly host: ClusterClient
  readonly clusters: PairedClusters
  /** A namespace of the virtual cluster that no other test uses. */
  newNamespace(name?: string): Promise<string>
  newHostNamespace(): Promise<string>
  /** A tenant for one test or one suite; it is deleted with the stage at the latest. */
  newTenant(options?: TenantOptions): Promise<Tenant>
  /** Warnings about an object of the virtual cluster, as `reason: message`. */
  warnings(namespace: string, name: string): Promise<readonly string[]>
  /** Ends all tenants and deletes the content of new namespaces, so that the next tenants have less to sync. */
  clear(): Promise<void>
}

export function openStage(pairing: Pairing, clusters: PairedClusters): Stage {
  const { client: virtual } = clusters.virtual
  const { client: host } = clusters.host
  const tenants = new Set<Tenant>()
  const namespaces = new Set<string>()
  let count = 0
  const fresh = (word: string) => `${word}-${process.hrtime.bigint().toString(36)}-${count++}`
  const newHostNamespace = async () => {
    const name = fresh('host')
    await host.ensureNamespace(name)
    return name
  }
  return {
    pairing,
    virtual,
    host,
    clusters,
    newHostNamespace,
    newNamespace: async (name = fresh('ns')) => {
      await virtual.ensureNamespace(name)
      namespaces.add(name)
      return name
    },
    newTenant: async (options = {}) => {
      const hostNamespace = options.hostNamespace ?? (await newHostNamespace())
      const tenant = createTenant({ name: fresh('tenant'), ...options, hostNamespace }, clusters, (gone) =>
        tenants.delete(gone),
      )
      tenants.add(tenant)
      if (options.isAsleep !== true) await tenant.syncer.start()
      return tenant
    },
    warnings: async (namespace, name) => {
      const found = await virtual.list(events, namespace)
      return found.filter((event) => isWarningAbout(event, name)).map(({ reason, message }) => `${reason}: ${message}`)
    },
    clear: async () => {
      await Promise.all([...tenants].map((tenant) => tenant.remove()))
      for (const namespace of namespaces) for (const kind of carried) await virtual.deleteAll(kind, namespace)
      namespaces.clear()
    },
  }
}

function isWarningAbout({ type, involvedObject }: Thing, name: string): boolean {
  if (type !== 'Warning' || typeof involvedObject !== 'object' || involvedObject === null) return false
  return 'name' in involvedObject && involvedObject.name === name
}

function createTenant(
  options: TenantOptions & { readonly name: string; readonly hostNamespace: string },
  clusters: PairedClusters,
  whenGone: (tenant: Tenant) => void,
): Tenant {
  const { name, hostNamespace, config = {} } = options
  const { client: host } = clusters.host
  const syncer = createSyncer({
    tenant: name,
    hostNamespace,
    host: options.hostAccess ?? clusters.host.server,
    virtual: options.virtualAccess ?? (options.virtual ?? clusters.virtual).server,
    config: JSON.stringify(config),
    ...(options.flags && { flags: options.flags }),
  })
  const hostName = (namespace: string, object: string) => copyName({ tenant: name, hostNamespace }, namespace, object)
  const tenant: Tenant = {
    name,
    hostNamespace,
    syncer,
    marks: { 'tenant.internal/managed-by': name, 'tenant.internal/tenant-namespace': hostNamespace },
    hostName,
    copy: (kind, namespace, object) => host.get(kind, hostNamespace, hostName(namespace, object)),
    findCopy: (kind, namespace, object) => host.find(kind, hostNamespace, hostName(namespace, object)),
    patchCopy: (kind, namespace, object, patch) => host.patch(kind, hostNamespace, hostName(namespace, object), patch),
    remove: async () => {
      await syncer.remove()
      whenGone(tenant)
    },
  }
  return tenant
}
