import { X509Certificate } from 'node:crypto'
import type { Attributes } from '../api/access.ts'
import type { Authenticator } from '../auth/contract.ts'
import type { LicenseAnswer } from '../auth/scope/explain.ts'
import { isLinking } from '../auth/scope/privilege.ts'
import { waitAtMost } from '../base/pause.ts'
import type { ExtraRoute } from '../server/contract.ts'
import { followCache } from './follow.ts'
import { linkMetrics } from './links/link-metrics.ts'
import { linkRoute } from './links/link-route.ts'
import { relayRoute } from './links/relay-route.ts'
import { routeToVirtualCluster } from './links/route-to-virtual-cluster.ts'
import { ManagedSecrets } from './managed-secrets/managed-secrets.ts'
import { type AskUpstream, askUpstream } from './proxy/ask-upstream.ts'
import { proxyRoute } from './proxy/proxy-route.ts'
import type { RouteParts } from './proxy/upstream-route.ts'
import type { RegistrationParts } from './reviews/registration.ts'
import { createUpstreamParts, type UpstreamOptions, type UpstreamParts } from './upstream-parts.ts'
import { linkAdmission } from './virtual-clusters/link-admission.ts'

/** Where other replicas reach this one. */
export interface OwnAddress {
  readonly url: string
  /** PEM. */
  readonly certificate: string
}

/**
 * The upstreams of the platform: linked virtual clusters, here or at another replica, and clusters with their spaces.
 */
export interface Upstreams {
  readonly extraRoutes: readonly ExtraRoute[]
  /** For registering a virtual cluster, or reissuing its proof. */
  readonly registration: RegistrationParts
  readonly managedSecrets: ManagedSecrets
  /** Asks an API behind the platform whether it would allow a request. */
  readonly askInside: AskUpstream
  /** The license's answer to a request; undefined if the request needs no license. */
  licenseFor(attributes: Attributes): LicenseAnswer | undefined
  /** Authenticates other replicas. */
  readonly replicas: Authenticator
  metrics(): string
  connect(): readonly (() => void)[]
  start(address: OwnAddress | undefined): Promise<void>
  /** Other replicas identify this one by its certificate. */
  announce(address: OwnAddress): Promise<void>
  /** Moves tenants elsewhere and ends requests under way. Call before the server closes. */
  drain(): Promise<void>
  stop(): Promise<void>
}

const reachedKinds = ['Cluster', 'SpaceInstance', 'VirtualClusterInstance'] as const

const drainGraceMs = 3_000
/** How long the store may take to inform the other replicas. */
const leaveMs = 1_000

export function createUpstreams(options: UpstreamOptions): Upstreams {
  const parts = createUpstreamParts(options)
  const { contexts, secret, links, relay, replicas, reports, refusals, index, namespaces, clusters, openRights } = parts
  const stopping = new AbortController()
  return {
    extraRoutes: routesOf(options, parts, stopping.signal),
    registration: registrationOf(options, parts),
    managedSecrets: managedSecretsOf(options, parts),
    askInside: askUpstream(waysOf(options, parts)),
    licenseFor: (attributes) => licenseFor(options, parts, attributes),
    replicas: secret,
    metrics: () => linkMetrics(links),
    connect: () => [
      followCache(contexts.virtualClusters().cache, index),
      followCache(contexts.leases().cache, replicas),
      followCache(contexts.projects().cache, openRights.projects()),
      ...reachedKinds.map((kind) => {
        const context = contexts.managed(kind)
        return followCache(context.cache, openRights.objects(context.kind.plural))
      }),
    ],
    start: async (address) => {
      namespaces.start()
      await secret.ensure(options.random)
      if (address !== undefined) await replicas.start(addressOf(address))
      reports.start()
    },
    announce: (address) => replicas.announce(addressOf(address)),
    drain: async () => {
      await waitAtMost(leaveMs, replicas.leave())
      if (replicas.hasOthers()) await links.move()
      stopping.abort()
      await links.drain(drainGraceMs)
    },
    stop: async () => {
      await reports.stop()
      await Promise.all([replicas.stop(), namespaces.stop(), refusals.stop()])
      relay.close()
      clusters.close()
    },
  }
}

function routesOf(options: UpstreamOptions, parts: UpstreamParts, stopping: AbortSignal): readonly ExtraRoute[] {
  const { contexts, links, refusals, index, openRights } = parts
  const { authenticator, authorizer, clock, elapsed, license } = options
  const onRefused = refusals.refused.bind(refusals)
  return [
    proxyRoute({ ...waysOf(options, parts), stopping, limitsOf: options.limitsOf, openRights }),
    linkRoute({
      links,
      index,
      license,
      authenticator,
      authorizer,
      clock,
      elapsed,
      onRefused,
      virtualClusters: contexts.virtualClusters,
    }),
    relayRoute(links),
  ]
}

function waysOf({ owners, grants, group: managementGroup }: UpstreamOptions, parts: UpstreamParts): RouteParts {
  const virtualCluster = (project: string, name: string) => routeToVirtualCluster(parts, project, name)
  const { contexts, clusters } = parts
  return { owners, grants, managementGroup, contextOf: contexts.managed, virtualCluster, clusters }
}

/** A license limits registering and linking. */
function licenseFor(
  { license, group }: UpstreamOptions,
  { index }: UpstreamParts,
  attributes: Attributes,
): LicenseAnswer | undefined {
  if (license === undefined || 'path' in attributes || !isLinking(attributes, group)) return undefined
  const { namespace, name } = attributes
  const admission = linkAdmission(license, index, { namespace, name })
  const answer = { feature: 'platform-link', included: admission.ok }
  return admission.ok ? answer : { ...answer, reason: admission.message }
}

function registrationOf(
  { authorizer, group, license, random }: UpstreamOptions,
  { contexts, index, namespaces, refusals }: UpstreamParts,
): RegistrationParts {
  const { virtualClusters, projects } = contexts
  return {
    virtualClusters,
    projects,
    index,
    authorizer,
    group,
    license,
    random,
    ensureNamespace: (project) => namespaces.ensure(project),
    onRefused: refusals.refused.bind(refusals),
  }
}

function managedSecretsOf(
  { clock, random, report }: UpstreamOptions,
  { contexts, clusters }: UpstreamParts,
): ManagedSecrets {
  const accessOf = (cluster: string) => clusters.access(cluster)
  return new ManagedSecrets({ secrets: contexts.secrets, accessOf, clock, random, report })
}

function addressOf({ url, certificate }: OwnAddress) {
  return { url, fingerprint: new X509Certificate(certificate).fingerprint256 }
}
