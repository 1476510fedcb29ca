import type { Kind } from '../api/kind.ts'
import { connectorKind } from '../api/management/connector.ts'
import type { Authenticator, Authorizer } from '../auth/contract.ts'
import { firstKnown } from '../auth/first-known.ts'
import { firstOpinion } from '../auth/first-opinion.ts'
import { mayDoEverything } from '../auth/may-do-everything.ts'
import { createNodeAuthorizer } from '../auth/nodes/node-authorizer.ts'
import { createRbacIndex } from '../auth/rbac/rbac-index.ts'
import { createTokenIssuer } from '../auth/service-account-issuer.ts'
import type { KeyAndCertificate } from '../base/certificates/issue.ts'
import type { Log } from '../base/log.ts'
import type { ElectionTimes } from '../client/lease/contract.ts'
import type { SimulatedTimes } from '../controllers/simulated-node/settings.ts'
import { required } from '../platform/bootstrap.ts'
import type { AdminRecord } from '../platform/identity/admin-record.ts'
import { createPlatform, type Platform, type PlatformOptions } from '../platform/platform.ts'
import type { AdmissionPlugin } from '../registry/admission/contract.ts'
import { serviceAccountPlugin } from '../registry/admission/service-account.ts'
import { storageProtection } from '../registry/admission/storage-protection.ts'
import type { FrontProxy } from '../registry/aggregation/contract.ts'
import type { ReadList } from '../registry/aggregation/read-list.ts'
import {
  defaultServiceNetwork,
  ServiceAllocator,
  type ServiceNetwork,
} from '../registry/allocation/service-allocator.ts'
import type { ReportTrouble } from '../registry/cache.ts'
import type { Hooks } from '../registry/context.ts'
import type { RootCertificate } from '../registry/controllers/namespace-defaults.ts'
import { CustomKinds, type CustomKindsOptions } from '../registry/custom-resources/custom-kinds.ts'
import type { Capacity } from '../registry/quota/capacity.ts'
import { ObjectRegistry } from '../registry/registry.ts'
import { QuotaBook } from '../registry/resource-quota/quota-book.ts'
import { QuotaCharges } from '../registry/resource-quota/quota-charges.ts'
import type { WebhookCredentials } from '../registry/webhooks/webhook-credentials.ts'
import { createApiServer } from '../server/api-server.ts'
import type { ApiServer, ApiServerDependencies, AuditRecord, TlsFiles, VersionInfo } from '../server/contract.ts'
import { impersonate } from '../server/impersonation.ts'
import { createOpenApi } from '../server/openapi/open-api.ts'
import type { ReviewResource } from '../server/reviews/contract.ts'
import { issuerDiscovery } from '../server/routes/issuer-discovery.ts'
import { noCustomDefinitions } from '../server/routes/no-custom-definitions.ts'
import { createSignOn, type RunningSignOn } from '../sign-on/sign-on.ts'
import type { Store } from '../storage/contract.ts'
import { advertisedUrl } from './advertised-url.ts'
import { type ClusterAggregation, clusterAggregation } from './aggregation.ts'
import { type AuthenticationOptions, clusterReviews, createAuthentication, issuer } from './authentication.ts'
import { backupRoute } from './backup-route.ts'
import { type ClusterWebhooks, clusterWebhooks } from './cluster-webhooks.ts'
import type { ClusterType } from './clusters.ts'
import { ensureClusterObjects, reportTo, startControllers } from './controllers.ts'
import { storageCheck, writesCheck } from './health-checks.ts'
import { hooksFor } from './hooks.ts'
import { nodeGraphOf } from './nodes/feed-node-graph.ts'
import { restrictedForNodes } from './nodes/restricted-reviews.ts'
import { ensureBootstrapPolicy } from './rbac/bootstrap.ts'
import { feedRbacIndex } from './rbac/feed-index.ts'
import { type StoreRoom, watchRoom } from './store-room.ts'

export interface ApiEngineOptions extends Omit<AuthenticationOptions, 'registry'> {
  readonly store: Store
  /** What is to be told of it. */
  readonly storeMetrics?: () => string
  readonly cluster: ClusterType
  /** Instead of those of the cluster: for tests. */
  readonly kinds?: readonly Kind[]
  readonly tls: TlsFiles
  /** Signs certificates by which users are known. Its own is `tls.clientCa`. Absent: there are none. */
  readonly clientAuthority?: KeyAndCertificate | undefined
  /** What admission webhooks are shown. Absent: nothing. */
  readonly webhookCredentials?: WebhookCredentials | undefined
  /** Lets servers of users answer for APIs behind this one. Absent: none does. */
  readonly frontProxy?: FrontProxy | undefined
  /** The certificate that clients trust, published in every namespace. */
  readonly rootCertificate: string
  readonly version: VersionInfo
  readonly log: Log
  readonly network?: ServiceNetwork
  /** How much may be stored in all. Absent: as much as there is room for. */
  readonly capacity?: Capacity
  /** With `none` nothing is collected, terminated or filled in: the bare API. */
  readonly controllers?: 'all' | 'none'
  /** How replicas on one etcd take turns with the controllers. Absent: as Kubernetes does. */
  readonly electionTimes?: ElectionTimes
  /** Of Pods on a simulated node. */
  readonly simulatedTimes?: SimulatedTimes
  /** Of a virtual cluster: what its host measures, for autoscalers. */
  readonly hostMetrics?: ReadList | undefined
  readonly server?: Pick<
    ApiServerDependencies,
    'limits' | 'proxies' | 'extraRoutes' | 'moreGroups' | 'hasConnections' | 'audit' | 'moreMetrics' | 'tracing'
  >
  /** Makes the server the platform: access keys, owners and projects count. */
  readonly platform?: Pick<
    PlatformOptions,
    'domain' | 'settings' | 'quotas' | 'heartbeatSeconds' | 'audit' | 'license'
  > & {
    /** Where other replicas reach this one. Absent: where it listens. */
    readonly advertiseUrl?: string
    /** What the platform is called as an identity provider of applications. Absent: it is none. */
    readonly oidcIssuer?: string
  }
}

/** One API server: a registry over a store, its controllers, and HTTPS in front of it. */
export interface ApiEngine {
  readonly registry: ObjectRegistry
  readonly server: ApiServer
  /** Of a platform: who callers are by their access keys. */
  readonly accessKeys: Authenticator
  /** Puts on record what came by no request. */
  readonly audit: (record: AuditRecord) => void
  /** Of a platform: makes the administrator's key an access key. Returns the record if it took the place of another one. */
  settleFirstKey(): Promise<AdminRecord | undefined>
  /** Bootstraps what a cluster needs and starts the controllers. Call it once the server's address is known. */
  startCluster(address: { readonly host: string; readonly port: number }): Promise<void>
  /** For connections from now on. Other replicas know this one by its certificate, and are told. */
  useCertificate(tls: TlsFiles, rootCertificate: string): Promise<void>
  stop(): Promise<void>
}

export async function createApiEngine(options: ApiEngineOptions): Promise<ApiEngine> {
  const { clock, random, log } = options
  const room = watchRoom(options.store, { log })
  const { store } = room
  const report: ReportTrouble = (subject, error) => log.error('an object could not be taken in', { subject, error })
  const registry = new ObjectRegistry({ store, clock, random, report })
  const rbac = createRbacIndex()
  const parts = { registry, clock, random, log, report: reportTo(log) }
  const allocator = new ServiceAllocator(store, random, options.network ?? defaultServiceNetwork)
  const quotaBook = new QuotaBook(registry)
  const own = { authorizer: rbac.authorizer, tokens: options.authenticator }
  const platform = platformOf(options, { ...parts, ...own })
  const tables = { hooks: options.cluster.hooks, admission: admissionOf(options) }
  const hookParts = { rbac, allocator, engine: registry.engine, quotas: new QuotaCharges(quotaBook) }
  const { webhookCredentials: credentials } = options
  const webhooks =
    options.cluster.webhooks && clusterWebhooks({ reach: options.cluster.webhooks, credentials, registry, random, log })
  const hooksOf = (kind: Kind): Hooks => {
    const own = platform?.hooksFor(kind) ?? hooksFor(kind, tables, hookParts)
    const hooks = webhooks?.withWebhooks(kind, own) ?? own
    return options.capacity?.limiting(kind, hooks) ?? hooks
  }
  for (const kind of options.kinds ?? kindsOf(options)) registry.add(kind, hooksOf(kind))
  await registry.start()
  const authorizer = platform?.authorizer ?? clusterAuthorizer(rbac.authorizer, registry)
  const authenticator = createAuthentication({ ...options, registry }, platform)
  const ownReviews = clusterReviews(options.cluster.reviews, { ...options, registry }, { authenticator, authorizer })
  const reviews = ownReviews
    .map((review) => webhooks?.askedAbout(review, authorizer) ?? review)
    .map((review) => restrictedForNodes(review, registry.engine))
  const names = reviews.filter(({ parent }) => parent === undefined)
  const conversion = webhooks && { conversionBy: webhooks.conversionBy }
  const kindParts = { registry, reviews: names, hooksFor: hooksOf, report: parts.report, ...conversion }
  const customKinds = await startCustomKinds(kindParts)
  feedRbacIndex(rbac, registry)
  options.capacity?.connect(registry)
  platform?.connect()
  const signOn = platform && signOnOf(platform, options, registry)
  const aggregation = aggregationOf(options, registry, names)
  const beside = { platform, signOn, webhooks, aggregation }
  const server = serverOf(options, { registry, room, ...beside, authenticator, authorizer, reviews })
  const served = { registry, server, ...beside, authorizer }
  return engineOf(options, { ...served, allocator, quotaBook, reviews: names, customKinds })
}

/** What kubelets may do depends on what runs on their nodes; roles and bindings may give them more. */
function clusterAuthorizer(roles: Authorizer, { engine }: ObjectRegistry): Authorizer {
  return firstOpinion([createNodeAuthorizer(nodeGraphOf(engine)), roles])
}

/** Servers of users are reached as webhooks are. */
function aggregationOf(
  { cluster: { webhooks: reach }, frontProxy }: ApiEngineOptions,
  registry: ObjectRegistry,
  reviews: readonly ReviewResource[],
): ClusterAggregation | undefined {
  return reach && frontProxy && clusterAggregation({ registry, reach, frontProxy, reviews })
}

/** Where users may define kinds. They are served from the first request on. */
async function startCustomKinds(options: Omit<CustomKindsOptions, 'definitions'>): Promise<CustomKinds | undefined> {
  const definitions = options.registry.engine.find('apiextensions.k8s.io', 'CustomResourceDefinition')
  if (definitions === undefined) return undefined
  const customKinds = new CustomKinds({ ...options, definitions })
  await customKinds.load()
  return customKinds
}

/** Of a cluster that is one. */
function platformOf(
  { cluster: { management: tables }, platform }: ApiEngineOptions,
  parts: Pick<PlatformOptions, 'authorizer' | 'registry' | 'clock' | 'random' | 'tokens' | 'report' | 'log'>,
): Platform | undefined {
  return tables && platform && createPlatform({ ...platform, ...parts, tables })
}

function kindsOf({ cluster: { kinds, management }, platform }: ApiEngineOptions): readonly Kind[] {
  return platform === undefined ? kinds() : [...kinds(), ...(management?.kinds(platform.domain) ?? [])]
}

const needControllers: readonly AdmissionPlugin[] = [serviceAccountPlugin, storageProtection]

/** Without controllers no namespace has an account of its own, and nothing lets go of storage: neither is asked for. */
function admissionOf({ cluster: { admission }, controllers }: ApiEngineOptions): readonly AdmissionPlugin[] {
  return controllers === 'none' ? admission.filter((plugin) => !needControllers.includes(plugin)) : admission
}

interface ServerParts {
  readonly registry: ObjectRegistry
  readonly room: StoreRoom
  readonly platform: Platform | undefined
  readonly signOn: RunningSignOn | undefined
  readonly webhooks: ClusterWebhooks | undefined
  readonly aggregation: ClusterAggregation | undefined
  readonly authenticator: Authenticator
  readonly authorizer: Authorizer
  /** What every cluster answers. */
  readonly reviews: readonly ReviewResource[]
}

function serverOf(options: ApiEngineOptions, parts: ServerParts): ApiServer {
  const { registry, room, platform, signOn, webhooks, aggregation, authenticator, authorizer } = parts
  const { clock, random, log, tls, version } = options
  const more = options.server?.moreMetrics ?? platform?.moreMetrics
  const reviews = [...parts.reviews, ...(platform?.reviews ?? []), ...(signOn?.reviews ?? [])]
  return createApiServer({
    ...(aggregation && { knownFlow: aggregation.flow }),
    ...(platform && requestsOf(platform)),
    ...(signOn && { signOn }),
    hasConnections: () => options.cluster.hasConnections === true,
    ...options.server,
    extraRoutes: [
      ...(platform?.extraRoutes ?? []),
      ...[
        ...(options.server?.extraRoutes ?? []),
        ...(options.cluster.routes ?? []).map((make) => make(registry.engine)),
      ].map((route) => webhooks?.beforeConnecting(route, authorizer) ?? route),
      backupRoute(registry.engine, log),
      ...(aggregation === undefined ? [] : [aggregation.route]),
      issuerDiscovery({ issuer, keys: options.verifyingKeys }),
      noCustomDefinitions,
    ],
    registry,
    authenticator,
    authorizer,
    impersonate,
    reviews,
    clock,
    random,
    log,
    tls,
    version,
    isAdministrator: ({ user }) => mayDoEverything(authorizer, user),
    openApi: (kinds) => createOpenApi(kinds, reviews, { foreign: () => aggregation?.apis.all() ?? [] }),
    ...(aggregation && { aggregated: aggregation.apis }),
    moreMetrics: async () =>
      [
        room.metrics(),
        options.storeMetrics?.(),
        registry.engine.metrics.render(),
        webhooks?.metrics(),
        await more?.(),
      ].join(''),
    healthChecks: [storageCheck(room.store), writesCheck(room), ...(platform?.healthChecks ?? [])],
  })
}

function signOnOf(
  { enterUser, sessions, oidcGrants: grants }: Platform,
  options: ApiEngineOptions,
  registry: ObjectRegistry,
): RunningSignOn {
  const { clock, random, log } = options
  const { store } = registry.engine
  const kind = connectorKind(options.platform?.domain ?? '')
  const issuer = options.platform?.oidcIssuer
  const clients = () => required(registry, kind.group, 'OIDCClient')
  return createSignOn({
    ...(issuer === undefined ? {} : { provider: { issuer, grants, clients } }),
    kind,
    connectors: () => required(registry, kind.group, kind.kind),
    secrets: () => required(registry, '', 'Secret'),
    trustedIssuers: () => required(registry, kind.group, 'TrustedIssuer'),
    enterUser,
    store,
    clock,
    random,
    log,
    endSignedOn: (logout) => sessions.endSignedOn(logout),
    announcements: {
      begin: (entered, machine) => sessions.announce(entered, machine),
      end: (announced) => sessions.end(announced),
    },
  })
}

/** How the platform takes part in requests. */
function requestsOf({ audit, requireAudit, sessions, pages, readOnward, knownFlow }: Platform) {
  return { audit, requireAudit, sessions, pages, readOnward, knownFlow }
}

interface EngineParts extends Pick<ApiEngine, 'registry' | 'server'> {
  readonly platform: Platform | undefined
  readonly signOn: RunningSignOn | undefined
  readonly webhooks: ClusterWebhooks | undefined
  readonly aggregation: ClusterAggregation | undefined
  readonly authorizer: Authorizer
  readonly allocator: ServiceAllocator
  readonly quotaBook: QuotaBook
  /** What the server answers to besides its kinds. */
  readonly reviews: readonly ReviewResource[]
  readonly customKinds: CustomKinds | undefined
}

function engineOf(
  options: ApiEngineOptions,
  { registry, server, platform, signOn, webhooks, ...own }: EngineParts,
): ApiEngine {
  const { authorizer, aggregation, allocator, quotaBook, reviews, customKinds } = own
  const { cluster, log, clientAuthority, simulatedTimes, hostMetrics, electionTimes, tls } = options
  const { tokenSigner, clock, random } = options
  const version = options.version.gitVersion
  const root = changingText(options.rootCertificate)
  const more = {
    rootCertificate: root,
    issueToken: createTokenIssuer({ issuer, signer: tokenSigner, clock, random }),
    clientAuthority,
    version,
    simulatedTimes,
    hostMetrics,
    electionTimes,
    report: reportTo(log),
    log,
  }
  const parts = { registry, authorizer, aggregation, allocator, quotaBook, reviews, ...more }
  const stops: (() => Promise<void>)[] = []
  let url = options.platform?.advertiseUrl
  return {
    registry,
    server,
    accessKeys: platform?.authenticator ?? firstKnown([]),
    audit: (record) => platform?.audit(record),
    settleFirstKey: async () => platform?.settleFirstKey(),
    startCluster: async (address) => {
      await ensureBootstrapPolicy(registry)
      const proofs = { users: tls.clientCa, frontProxy: options.frontProxy?.authority }
      await ensureClusterObjects(registry, allocator.range.apiAddress, address, proofs)
      await platform?.bootstrap()
      stops.push(startControllers(cluster.upkeep, parts))
      if (options.controllers === 'none') return
      url ??= advertisedUrl(address)
      await platform?.startControllers({ url, certificate: tls.cert }, signOn?.refresh)
      stops.push(startControllers(cluster.controllers, parts))
    },
    useCertificate: async (next, rootCertificate) => {
      root.change(rootCertificate)
      if (url !== undefined) await platform?.announce({ url, certificate: next.cert })
      server.useCertificate(next)
    },
    stop: async () => {
      await platform?.drain()
      await server.close()
      webhooks?.close()
      aggregation?.close()
      await signOn?.stop()
      await platform?.stop()
      await Promise.all(stops.map((stop) => stop()))
      await customKinds?.stop()
      await registry.stop()
    },
  }
}

function changingText(first: string): RootCertificate & { change(text: string): void } {
  const listeners = new Set<() => void>()
  let current = first
  return {
    current: () => current,
    follow: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    change: (text) => {
      if (text === current) return
      current = text
      for (const listener of listeners) listener()
    },
  }
}
