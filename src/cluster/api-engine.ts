import { networkInterfaces } from 'node:os'
import type { UserInfo } from '../api/access.ts'
import type { Kind } from '../api/kind.ts'
import { connectorKind } from '../api/management/connector.ts'
import type { Authenticator, Authorizer } from '../auth/contract.ts'
import { createRbacIndex } from '../auth/rbac/rbac-index.ts'
import type { Log } from '../base/log.ts'
import type { SimulatedTimes } from '../controllers/simulated-node/settings.ts'
import { required } from '../platform/bootstrap.ts'
import { createPlatform, type Platform, type PlatformOptions } from '../platform/platform.ts'
import type { AdmissionPlugin } from '../registry/admission/contract.ts'
import { serviceAccountPlugin } from '../registry/admission/service-account.ts'
import { storageProtection } from '../registry/admission/storage-protection.ts'
import {
  defaultServiceNetwork,
  ServiceAllocator,
  type ServiceNetwork,
} from '../registry/allocation/service-allocator.ts'
import type { Hooks } from '../registry/context.ts'
import { CustomKinds, type CustomKindsOptions } from '../registry/custom-resources/custom-kinds.ts'
import type { OwnName } from '../registry/custom-resources/own-names.ts'
import type { Capacity } from '../registry/quota/capacity.ts'
import { ObjectRegistry } from '../registry/registry.ts'
import { QuotaBook } from '../registry/resource-quota/quota-book.ts'
import { QuotaCharges } from '../registry/resource-quota/quota-charges.ts'
import { createApiServer } from '../server/api-server.ts'
import type { ApiServer, ApiServerDependencies, AuditRecord, TlsFiles, VersionInfo } from '../server/contract.ts'
import { impersonate } from '../server/impersonation.ts'
import { createOpenApi } from '../server/openapi/open-api.ts'
import type { ReviewResource } from '../server/reviews/contract.ts'
import { issuerDiscovery } from '../server/routes/issuer-discovery.ts'
import { noCustomDefinitions } from '../server/routes/no-custom-definitions.ts'
import { createSignOn, type RunningSignOn } from '../sign-on/sign-on.ts'
import type { Store } from '../storage/contract.ts'
import { type AuthenticationOptions, clusterReviews, createAuthentication, issuer } from './authentication.ts'
import { type ClusterWebhooks, clusterWebhooks } from './cluster-webhooks.ts'
import type { ClusterType } from './clusters.ts'
import { ensureClusterObjects, reportTo, startControllers } from './controllers.ts'
import { storageCheck, writesCheck } from './health-checks.ts'
import { hooksFor } from './hooks.ts'
import { ensureBootstrapPolicy } from './rbac/bootstrap.ts'
import { feedRbacIndex } from './rbac/feed-index.ts'
import { type StoreRoom, watchRoom } from './store-room.ts'

export interface ApiEngineOptions extends Omit<AuthenticationOptions, 'registry'> {
  readonly store: Store
  readonly cluster: ClusterType
  /** Instead of those of the cluster: for tests. */
  readonly kinds?: readonly Kind[]
  readonly tls: TlsFiles
  /** The certificate that clients trust, published in every namespace. */
  readonly rootCertificate: string
  readonly version: VersionInfo
  readonly log: Log
  readonly network?: ServiceNetwork
  /** How much may be stored in all. Absent: as much as there is room for. */
  readonly capacity?: Capacity
  /** With `none` nothing is collected, terminated or filled in: the bare API. */
  readonly controllers?: 'all' | 'none'
  /** Of Pods on a simulated node. */
  readonly simulatedTimes?: SimulatedTimes
  readonly server?: Pick<ApiServerDependencies, 'limits' | 'extraRoutes' | 'audit' | 'moreMetrics'>
  /** Makes the server the platform: access keys, owners and projects count. */
  readonly platform?: Pick<PlatformOptions, 'domain' | 'settings' | 'quotas' | 'audit' | 'license'> & {
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
  /** Puts on record what came by no request. */
  readonly audit: (record: AuditRecord) => void
  /** Bootstraps what a cluster needs and starts the controllers. Call it once the server's address is known. */
  startCluster(address: { readonly host: string; readonly port: number }): Promise<void>
  /** For connections from now on. Other replicas know this one by its certificate, and are told. */
  useCertificate(tls: TlsFiles): Promise<void>
  stop(): Promise<void>
}

export async function createApiEngine(options: ApiEngineOptions): Promise<ApiEngine> {
  const { clock, random, log } = options
  const room = watchRoom(options.store, { log })
  const { store } = room
  const registry = new ObjectRegistry({ store, clock, random })
  const rbac = createRbacIndex()
  const parts = { registry, clock, random, log, report: reportTo(log) }
  const allocator = new ServiceAllocator(store, random, options.network ?? defaultServiceNetwork)
  const quotaBook = new QuotaBook(registry)
  const own = { authorizer: rbac.authorizer, tokens: options.authenticator }
  const platform = platformOf(options, { ...parts, ...own })
  const tables = { hooks: options.cluster.hooks, admission: admissionOf(options) }
  const hookParts = { rbac, allocator, engine: registry.engine, quotas: new QuotaCharges(quotaBook) }
  const webhooks =
    options.cluster.webhooks && clusterWebhooks({ reach: options.cluster.webhooks, registry, random, log })
  const hooksOf = (kind: Kind): Hooks => {
    const own = platform?.hooksFor(kind) ?? hooksFor(kind, tables, hookParts)
    const hooks = webhooks?.withWebhooks(kind, own) ?? own
    return options.capacity?.limiting(kind, hooks) ?? hooks
  }
  for (const kind of options.kinds ?? kindsOf(options)) registry.add(kind, hooksOf(kind))
  await registry.start()
  const { authorizer } = platform ?? rbac
  const authenticator = createAuthentication({ ...options, registry }, platform)
  const ownReviews = clusterReviews(options.cluster.reviews, { ...options, registry }, { authenticator, authorizer })
  const reviews = ownReviews.map((review) => webhooks?.askedAbout(review) ?? review)
  const names = reviews.filter(({ parent }) => parent === undefined)
  const conversion = webhooks && { conversionBy: webhooks.conversionBy }
  const kindParts = { registry, reviews: names, hooksFor: hooksOf, report: parts.report, ...conversion }
  const customKinds = await startCustomKinds(kindParts)
  feedRbacIndex(rbac, registry)
  options.capacity?.connect(registry)
  platform?.connect()
  const signOn = platform && signOnOf(platform, options, registry)
  const server = serverOf(options, { registry, room, platform, signOn, webhooks, authenticator, authorizer, reviews })
  const served = { registry, server, platform, signOn, webhooks }
  return engineOf(options, { ...served, allocator, quotaBook, reviews: names, customKinds })
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
  readonly authenticator: Authenticator
  readonly authorizer: Authorizer
  /** What every cluster answers. */
  readonly reviews: readonly ReviewResource[]
}

function serverOf(options: ApiEngineOptions, parts: ServerParts): ApiServer {
  const { registry, room, platform, signOn, webhooks, authenticator, authorizer } = parts
  const { clock, random, log, tls, version } = options
  const more = options.server?.moreMetrics ?? platform?.moreMetrics
  const reviews = [...parts.reviews, ...(platform?.reviews ?? []), ...(signOn?.reviews ?? [])]
  return createApiServer({
    ...(platform && requestsOf(platform)),
    ...(signOn && { signOn }),
    ...options.server,
    extraRoutes: [
      ...(platform?.extraRoutes ?? []),
      ...(options.server?.extraRoutes ?? []),
      ...(options.cluster.routes ?? []).map((make) => make(registry.engine)),
      issuerDiscovery({ issuer, keys: options.verifyingKeys }),
      noCustomDefinitions,
    ],
    ...{ registry, authenticator, authorizer, impersonate, reviews, clock, random, log, tls, version },
    isAdministrator: ({ user }) => mayDoEverything(authorizer, user),
    openApi: (kinds) => createOpenApi(kinds, reviews),
    moreMetrics: async () => `${room.metrics()}${webhooks?.metrics() ?? ''}${(await more?.()) ?? ''}`,
    healthChecks: [storageCheck(room.store), writesCheck(room), ...(platform?.healthChecks ?? [])],
  })
}

/** A user who may do everything is an administrator, whatever their groups are. */
function mayDoEverything(authorizer: Authorizer, user: UserInfo): boolean {
  const everything = { verb: '*', group: '*', version: '*', resource: '*', subresource: '', namespace: '', name: '' }
  const decision = authorizer.authorize({ user, ...everything })
  return !(decision instanceof Promise) && decision.verdict === 'allow'
}

function signOnOf(
  { enterUser, oidcGrants: grants }: Platform,
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
    ...{ enterUser, store, clock, random, log },
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
  readonly allocator: ServiceAllocator
  readonly quotaBook: QuotaBook
  /** What the server answers to besides its kinds. */
  readonly reviews: readonly OwnName[]
  readonly customKinds: CustomKinds | undefined
}

function engineOf(
  options: ApiEngineOptions,
  { registry, server, platform, signOn, webhooks, allocator, quotaBook, reviews, customKinds }: EngineParts,
): ApiEngine {
  const { cluster, log, rootCertificate, simulatedTimes, tls } = options
  const version = options.version.gitVersion
  const more = { rootCertificate, version, simulatedTimes, report: reportTo(log), log }
  const parts = { registry, allocator, quotaBook, reviews, ...more }
  const stops: (() => Promise<void>)[] = []
  let url = options.platform?.advertiseUrl
  return {
    registry,
    server,
    audit: (record) => platform?.audit(record),
    startCluster: async (address) => {
      await ensureBootstrapPolicy(registry)
      await ensureClusterObjects(registry, allocator.range.apiAddress, address, tls.clientCa)
      await platform?.bootstrap()
      stops.push(startControllers(cluster.upkeep, parts))
      if (options.controllers === 'none') return
      url ??= advertisedUrl(address)
      await platform?.startControllers({ url, certificate: tls.cert }, signOn?.refresh)
      stops.push(startControllers(cluster.controllers, parts))
    },
    useCertificate: async (next) => {
      if (url !== undefined) await platform?.announce({ url, certificate: next.cert })
      server.useCertificate(next)
    },
    stop: async () => {
      await platform?.drain()
      await server.close()
      webhooks?.close()
      await signOn?.stop()
      await platform?.stop()
      await Promise.all(stops.map((stop) => stop()))
      await customKinds?.stop()
      await registry.stop()
    },
  }
}

/** Where other machines reach a server that listens there. Everywhere is nowhere in particular: then it is our first address. */
function advertisedUrl({ host, port }: { readonly host: string; readonly port: number }): string {
  const name = host === '0.0.0.0' || host === '::' ? firstAddress() : host
  return `https://${name.includes(':') ? `[${name}]` : name}:${port}`
}

function firstAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const outward = all.filter(({ internal }) => !internal)
  const first = outward.find(({ family }) => family === 'IPv4') ?? outward[0]
  return first?.address ?? '127.0.0.1'
}
