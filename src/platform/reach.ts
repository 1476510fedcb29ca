import { X509Certificate } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { serviceUnavailable, unreachable } from '../api/error.ts'
import { linkLimits } from '../api/link-limits.ts'
import type { Authenticator, Authorizer } from '../auth/contract.ts'
import { projectNamespace } from '../auth/scope/request.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../base/random.ts'
import type { Forwarder } from '../client/forward/contract.ts'
import type { ReportError } from '../registry/controllers/controller.ts'
import type { ObjectRegistry } from '../registry/registry.ts'
import type { ExtraRoute } from '../server/contract.ts'
import type { ReviewResource } from '../server/reviews/contract.ts'
import { required } from './bootstrap.ts'
import { follow } from './follow.ts'
import type { LicenseHolder } from './license/license-holder.ts'
import { linkRoute } from './links/link-route.ts'
import { Links } from './links/links.ts'
import { Relay } from './links/relay.ts'
import { relayRoute } from './links/relay-route.ts'
import { ReplicaSecret } from './links/replica-secret.ts'
import { Replicas } from './links/replicas.ts'
import { ManagedSecrets } from './managed-secrets/managed-secrets.ts'
import type { AccessGrants } from './projects/access-grants.ts'
import { ProjectNamespaces } from './projects/namespaces.ts'
import { KubeconfigWays } from './proxy/cluster-ways.ts'
import { proxyRoute } from './proxy/proxy-route.ts'
import { LinkIndex } from './virtual-clusters/link-index.ts'
import { LinkReports } from './virtual-clusters/link-reports.ts'
import { registration } from './virtual-clusters/registration.ts'

export interface ReachOptions {
  readonly group: string
  readonly registry: ObjectRegistry
  /** What users may do, whatever key they came with. */
  readonly owners: Authorizer
  readonly grants: AccessGrants
  /** The same, cut down to the scope of the key in use. */
  readonly authorizer: Authorizer
  readonly authenticator: Authenticator
  readonly clock: Clock
  readonly random: Random
  readonly license: LicenseHolder | undefined
  readonly report: ReportError
}

/** How this replica can be reached by the others. */
export interface OwnAddress {
  readonly url: string
  /** PEM. */
  readonly certificate: string
}

/** What the platform reaches: linked virtual clusters, here or at another replica, and clusters with their spaces. */
export interface Reach {
  readonly extraRoutes: readonly ExtraRoute[]
  readonly reviews: readonly ReviewResource[]
  readonly managedSecrets: ManagedSecrets
  /** Knows the other replicas. */
  readonly replicas: Authenticator
  connect(): readonly (() => void)[]
  start(address: OwnAddress | undefined): Promise<void>
  /** Sends tenants elsewhere and ends what goes on. Before the server closes. */
  drain(): Promise<void>
  stop(): Promise<void>
}

const drainGraceMs = 3_000

export function createReach(options: ReachOptions): Reach {
  const { group, registry, clock, random, report, authorizer } = options
  const managed = (kind: string) => required(registry, group, kind)
  const virtualClusters = () => managed('VirtualClusterInstance')
  const leases = () => required(registry, 'coordination.k8s.io', 'Lease')
  const secrets = () => required(registry, '', 'Secret')
  const stopping = new AbortController()
  // Everything that is passed on listens.
  setMaxListeners(0, stopping.signal)
  const secret = new ReplicaSecret(secrets)
  const relay = new Relay(() => secret.token())
  const replicas = new Replicas({ ownName: random.uuid().slice(0, 13), leases, clock, report })
  const reports: LinkReports = new LinkReports(() => ({ links, index, replicas, virtualClusters, report }))
  const links = new Links(reports)
  const index = new LinkIndex((namespace, name) => reports.changed(namespace, name))
  const namespaces = new ProjectNamespaces({
    projects: () => managed('Project'),
    namespaces: () => required(registry, '', 'Namespace'),
    contents: () => registry.contexts().filter(({ kind }) => kind.namespaced && kind.storedAs === undefined),
    report,
  })
  const clusters = new KubeconfigWays({ clusters: () => managed('Cluster'), secrets, clock })

  const virtualCluster = (project: string, name: string): Forwarder => {
    const link = links.find(project, name)
    if (link !== undefined) return busyAbove(link.openStreams, link)
    const state = index.get(projectNamespace(project), name)
    const address = state === undefined ? undefined : replicas.addressOf(state.replica)
    if (address !== undefined && state?.replica !== replicas.ownName) {
      return { forward: (request) => relay.forward(address, { project, name }, request) }
    }
    const seen =
      (state?.lastHeartbeat ?? '') === '' ? 'it has not linked itself yet' : `last seen ${state?.lastHeartbeat}`
    throw unreachable(
      `the virtual cluster ${JSON.stringify(name)} of project ${JSON.stringify(project)} is offline: ${seen}`,
    )
  }

  return {
    extraRoutes: [
      proxyRoute({
        ...options,
        managementGroup: group,
        contextOf: managed,
        virtualCluster,
        clusters,
        stopping: stopping.signal,
      }),
      linkRoute({ links, virtualClusters, authenticator: options.authenticator, authorizer, clock }),
      relayRoute(links),
    ],
    reviews: [
      registration({
        virtualClusters,
        projects: () => managed('Project'),
        index,
        authorizer,
        group,
        license: options.license,
        ensureNamespace: (project) => namespaces.ensure(project),
      }),
    ],
    managedSecrets: new ManagedSecrets({
      secrets,
      clusters: () => managed('Cluster'),
      accessOf: (cluster) => clusters.access(cluster),
      clock,
      random,
      report,
    }),
    replicas: secret,
    connect: () => [follow(virtualClusters().cache, index), follow(leases().cache, replicas)],
    start: async (address) => {
      namespaces.start()
      await secret.ensure(random)
      if (address !== undefined) await replicas.start(addressOf(address))
      reports.start()
    },
    drain: async () => {
      stopping.abort()
      await links.drain(drainGraceMs)
    },
    stop: async () => {
      await reports.stop()
      await Promise.all([replicas.stop(), namespaces.stop()])
      relay.close()
      clusters.close()
    },
  }
}

function addressOf({ url, certificate }: OwnAddress) {
  return { url, fingerprint: new X509Certificate(certificate).fingerprint256 }
}

function busyAbove(openStreams: number, forwarder: Forwarder): Forwarder {
  if (openStreams < linkLimits.maxOpenStreams) return forwarder
  throw serviceUnavailable('too many requests are under way to this virtual cluster', 1)
}
