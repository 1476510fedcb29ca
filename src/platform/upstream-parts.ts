import type { UserInfo } from '../api/access.ts'
import type { Authenticator, Authorizer } from '../auth/contract.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../base/random.ts'
import type { ResourceContext } from '../registry/context.ts'
import type { VisibilityChanges } from '../registry/contract.ts'
import type { ReportError } from '../registry/controllers/controller.ts'
import type { ObjectRegistry } from '../registry/registry.ts'
import { required } from './bootstrap.ts'
import type { LicenseHolder } from './license/license-holder.ts'
import { Links } from './links/links.ts'
import { Relay } from './links/relay.ts'
import { ReplicaSecret } from './links/replica-secret.ts'
import { Replicas } from './links/replicas.ts'
import type { AccessGrants } from './projects/access-grants.ts'
import { ProjectNamespaces } from './projects/namespaces.ts'
import { KubeconfigRoutes } from './proxy/cluster-routes.ts'
import type { LimitsOf } from './proxy/lasting-credentials.ts'
import { OpenRights } from './proxy/open-rights.ts'
import { RefusalReports } from './virtual-clusters/identity/refusal-reports.ts'
import { LinkIndex } from './virtual-clusters/link-index.ts'
import { LinkReports } from './virtual-clusters/link-reports.ts'

export interface UpstreamOptions {
  readonly group: string
  readonly registry: ObjectRegistry
  /** The rights of users, whatever key they use. */
  readonly owners: Authorizer
  readonly grants: AccessGrants
  /** Changes of teams and roles that concern a user. */
  readonly changesOf: (user: UserInfo) => VisibilityChanges
  /** The same rights, limited to the scope of the key in use. */
  readonly authorizer: Authorizer
  readonly authenticator: Authenticator
  readonly clock: Clock
  /** For durations. */
  readonly elapsed: Clock
  readonly random: Random
  readonly license: LicenseHolder | undefined
  /** Limits of a key besides the rights of its owner. */
  readonly limitsOf: LimitsOf
  /** Maximum age of the status of a linked virtual cluster. */
  readonly heartbeatSeconds: number
  readonly report: ReportError
}

/** The kinds needed to reach upstreams. They are looked up on use, because they are served later. */
export interface ReachContexts {
  /** A kind of the management group. */
  managed(kind: string): ResourceContext
  virtualClusters(): ResourceContext
  projects(): ResourceContext
  clusters(): ResourceContext
  secrets(): ResourceContext
  leases(): ResourceContext
  events(): ResourceContext
  namespaces(): ResourceContext
  /** All kinds that a namespace may contain. */
  namespaced(): readonly ResourceContext[]
}

export interface UpstreamParts {
  readonly contexts: ReachContexts
  readonly secret: ReplicaSecret
  readonly relay: Relay
  readonly replicas: Replicas
  readonly links: Links
  readonly index: LinkIndex
  readonly reports: LinkReports
  readonly refusals: RefusalReports
  readonly namespaces: ProjectNamespaces
  readonly clusters: KubeconfigRoutes
  readonly openRights: OpenRights
}

export function createUpstreamParts(options: UpstreamOptions): UpstreamParts {
  const { clock, elapsed, random, report, owners, grants, changesOf } = options
  const heartbeatMs = options.heartbeatSeconds * 1000
  const contexts = contextsIn(options)
  const { leases, virtualClusters, projects, namespaces, clusters, secrets, namespaced } = contexts
  const secret = new ReplicaSecret(secrets)
  const replicas = new Replicas({ ownName: random.uuid().slice(0, 13), leases, clock, elapsed, report })
  const reports: LinkReports = new LinkReports(() => ({
    links,
    index,
    replicas,
    virtualClusters,
    report,
    heartbeatMs,
    random,
  }))
  const links = new Links(reports)
  const index = new LinkIndex((namespace, name) => reports.changed(namespace, name))
  return {
    contexts,
    secret,
    replicas,
    reports,
    links,
    index,
    refusals: new RefusalReports({ virtualClusters, events: contexts.events, report }),
    relay: new Relay(() => secret.token(), elapsed),
    namespaces: new ProjectNamespaces({ projects, namespaces, contents: namespaced, report }),
    clusters: new KubeconfigRoutes({ clusters, secrets, clock }),
    openRights: new OpenRights({ owners, grants, managementGroup: options.group, changesOf }),
  }
}

function contextsIn({ registry, group }: UpstreamOptions): ReachContexts {
  const managed = (kind: string) => required(registry, group, kind)
  return {
    managed,
    virtualClusters: () => managed('VirtualClusterInstance'),
    projects: () => managed('Project'),
    clusters: () => managed('Cluster'),
    secrets: () => required(registry, '', 'Secret'),
    leases: () => required(registry, 'coordination.k8s.io', 'Lease'),
    events: () => required(registry, '', 'Event'),
    namespaces: () => required(registry, '', 'Namespace'),
    namespaced: () => registry.contexts().filter(({ kind }) => kind.namespaced && kind.storedAs === undefined),
  }
}
