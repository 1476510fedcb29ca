import type { Kind } from '../../api/kind.ts'
import type { Authorizer } from '../../auth/contract.ts'
import { firstKnown } from '../../auth/first-known.ts'
import { firstOpinion } from '../../auth/first-opinion.ts'
import { createNodeAuthorizer } from '../../auth/nodes/node-authorizer.ts'
import { createRbacIndex, type RbacIndex } from '../../auth/rbac/rbac-index.ts'
import { createTokenIssuer, type TokenIssuer } from '../../auth/service-account-issuer.ts'
import { TokensAhead } from '../../auth/tokens-ahead.ts'
import type { Platform, PlatformOptions } from '../../platform/platform.ts'
import type { AdmissionPlugin } from '../../registry/admission/contract.ts'
import { serviceAccountPlugin } from '../../registry/admission/service-account.ts'
import { storageProtection } from '../../registry/admission/storage-protection.ts'
import { defaultServiceNetwork, ServiceAllocator } from '../../registry/allocation/service-allocator.ts'
import type { ReportTrouble } from '../../registry/cache.ts'
import type { Hooks } from '../../registry/context.ts'
import type { RootCertificate } from '../../registry/controllers/namespace-defaults.ts'
import { CustomKinds, type CustomKindsOptions } from '../../registry/custom-resources/custom-kinds.ts'
import { ObjectRegistry } from '../../registry/registry.ts'
import { QuotaBook } from '../../registry/resource-quota/quota-book.ts'
import { QuotaCharges } from '../../registry/resource-quota/quota-charges.ts'
import type { ReviewResource } from '../../server/reviews/contract.ts'
import type { RunningSignOn } from '../../sign-on/sign-on.ts'
import { clusterReviews, createAuthentication, findIn, issuer, serverAudiences } from '../access/authentication.ts'
import { ensureBootstrapPolicy } from '../access/bootstrap-policy.ts'
import { nodeGraphOf } from '../access/feed-node-graph.ts'
import { feedRbacIndex } from '../access/feed-rbac-index.ts'
import { restrictedForNodes } from '../access/restricted-reviews.ts'
import { tellApiAddress } from '../controllers/api-address.ts'
import { ensureClusterObjects, reportTo, startControllers, tellCallerProofs } from '../controllers/controllers.ts'
import { type ClusterAggregation, clusterAggregation } from '../extensions/aggregation.ts'
import { type ClusterWebhooks, clusterWebhooks } from '../extensions/cluster-webhooks.ts'
import { hooksFor } from '../hooks.ts'
import { watchRoom } from '../store/store-room.ts'
import { advertisedUrl } from './advertised-url.ts'
import type { ApiEngine, ApiEngineOptions } from './engine-contract.ts'
import { createEngineServer } from './engine-server.ts'
import { type AheadParts, withTokensAhead } from './tokens-of-new-pods.ts'

/** Assembles an API server from its options. It does not listen yet. */
export async function createApiEngine(options: ApiEngineOptions): Promise<ApiEngine> {
  const { clock, elapsed, random, log } = options
  const room = watchRoom(options.store, { log })
  const { store } = room
  const report: ReportTrouble = (subject, error) => log.error('an object could not be taken in', { subject, error })
  const registry = new ObjectRegistry({ store, clock, random, report })
  const rbac = createRbacIndex()
  const parts = { registry, clock, random, log, report: reportTo(log) }
  const allocator = new ServiceAllocator(store, random, options.network ?? defaultServiceNetwork)
  const quotaBook = new QuotaBook(registry)
  const own = { authorizer: rbac.authorizer, tokens: options.authenticator }
  const management = await managementOf(options)
  const platform = management?.create({ ...parts, ...own, elapsed })
  const tables = { hooks: options.cluster.hooks, admission: admissionOf(options) }
  const hookParts = { rbac, allocator, engine: registry.engine, quotas: new QuotaCharges(quotaBook) }
  const { webhookCredentials: credentials } = options
  const webhooks =
    options.cluster.webhooks && clusterWebhooks({ reach: options.cluster.webhooks, credentials, registry, random, log })
  const tokens = tokensOf(options, registry)
  const hooksOf = (kind: Kind): Hooks => {
    const own = platform?.hooksFor(kind) ?? hooksFor(kind, tables, hookParts)
    const hooks = webhooks?.withWebhooks(kind, own) ?? own
    const limited = options.capacity?.limiting(kind, hooks) ?? hooks
    return tokens.ahead === undefined ? limited : withTokensAhead(kind, limited, tokens.ahead)
  }
  for (const kind of options.kinds ?? kindsOf(options, management)) registry.add(kind, hooksOf(kind))
  await registry.start()
  const authorizer = platform?.authorizer ?? clusterAuthorizer(rbac.authorizer, registry)
  const authenticator = createAuthentication({ ...options, registry }, platform)
  const ownReviews = clusterReviews(options.cluster.reviews, { ...options, registry }, tokens.issue, {
    authenticator,
    authorizer,
  })
  const reviews = ownReviews
    .map((review) => webhooks?.askedAbout(review, authorizer) ?? review)
    .map((review) => restrictedForNodes(review, registry.engine))
  const names = reviews.filter(({ parent }) => parent === undefined)
  const conversion = webhooks && { conversionBy: webhooks.conversionBy }
  const kindParts = { registry, reviews: names, hooksFor: hooksOf, report: parts.report, ...conversion }
  const customKinds = await startCustomKinds(kindParts)
  await feedRbacIndex(rbac, registry)
  options.capacity?.connect(registry)
  platform?.connect()
  const signOn = platform && management?.signOn(platform, registry)
  const aggregation = aggregationOf(options, registry, names)
  const beside = { platform, signOn, webhooks, aggregation, rbac }
  const server = createEngineServer(options, { registry, room, ...beside, authenticator, authorizer, reviews })
  const served = { registry, server, ...beside, authorizer }
  return engineOf(options, { ...served, tokens, allocator, quotaBook, reviews: names, customKinds })
}

interface EngineTokens {
  readonly issue: TokenIssuer
  /** Absent: tokens are signed on request. */
  readonly ahead: AheadParts | undefined
}

function tokensOf(options: ApiEngineOptions, registry: ObjectRegistry): EngineTokens {
  const { tokenSigner: signer, clock, random, tokensAhead: areAskedFor } = options
  const issue = createTokenIssuer({ issuer, signer, clock, random })
  if (areAskedFor === undefined) return { issue, ahead: undefined }
  const ahead = new TokensAhead(issue, clock)
  return { issue: ahead.issue, ahead: { ahead, findObject: findIn(registry), serverAudiences, areAskedFor } }
}

/** The rights of kubelets depend on what runs on their nodes; roles and bindings may add more. */
function clusterAuthorizer(roles: Authorizer, { engine }: ObjectRegistry): Authorizer {
  return firstOpinion([createNodeAuthorizer(nodeGraphOf(engine)), roles])
}

/** Servers behind APIServices are reached like webhooks. */
function aggregationOf(
  { cluster: { webhooks: reach }, frontProxy }: ApiEngineOptions,
  registry: ObjectRegistry,
  reviews: readonly ReviewResource[],
): ClusterAggregation | undefined {
  return reach && frontProxy && clusterAggregation({ registry, reach, frontProxy, reviews })
}

/** If users may define kinds, these are served from the first request on. */
async function startCustomKinds(options: Omit<CustomKindsOptions, 'definitions'>): Promise<CustomKinds | undefined> {
  const definitions = options.registry.engine.find('apiextensions.k8s.io', 'CustomResourceDefinition')
  if (definitions === undefined) return undefined
  const customKinds = new CustomKinds({ ...options, definitions })
  await customKinds.load()
  return customKinds
}

interface Management {
  readonly kinds: readonly Kind[]
  create(
    parts: Pick<
      PlatformOptions,
      'authorizer' | 'registry' | 'clock' | 'elapsed' | 'random' | 'tokens' | 'report' | 'log'
    >,
  ): Platform
  signOn(platform: Platform, registry: ObjectRegistry): RunningSignOn
}

/** Loaded on demand. Undefined for a cluster that is not a platform. */
async function managementOf(options: ApiEngineOptions): Promise<Management | undefined> {
  const { cluster, platform: own } = options
  if (own === undefined || cluster.management === undefined) return undefined
  const tables = await cluster.management()
  const { createPlatform } = await import('../../platform/platform.ts')
  const { platformSignOn } = await import('./platform-sign-on.ts')
  return {
    kinds: tables.kinds(own.domain),
    create: (parts) => createPlatform({ ...own, ...parts, tables }),
    signOn: (platform, registry) => platformSignOn(platform, options, registry),
  }
}

function kindsOf({ cluster }: ApiEngineOptions, management: Management | undefined): readonly Kind[] {
  return management === undefined ? cluster.kinds() : [...cluster.kinds(), ...management.kinds]
}

const needControllers: readonly AdmissionPlugin[] = [serviceAccountPlugin, storageProtection]

/**
 * Without controllers, no namespace has an account of its own, and nothing releases storage, so the plugins for both
 * are left out.
 */
function admissionOf({ cluster: { admission }, controllers }: ApiEngineOptions): readonly AdmissionPlugin[] {
  return controllers === 'none' ? admission.filter((plugin) => !needControllers.includes(plugin)) : admission
}

interface EngineParts extends Pick<ApiEngine, 'registry' | 'server'> {
  readonly platform: Platform | undefined
  readonly signOn: RunningSignOn | undefined
  readonly webhooks: ClusterWebhooks | undefined
  readonly aggregation: ClusterAggregation | undefined
  readonly authorizer: Authorizer
  readonly tokens: EngineTokens
  readonly rbac: RbacIndex
  readonly allocator: ServiceAllocator
  readonly quotaBook: QuotaBook
  /** Reviews that the server answers besides its kinds. */
  readonly reviews: readonly ReviewResource[]
  readonly customKinds: CustomKinds | undefined
}

function engineOf(
  options: ApiEngineOptions,
  { registry, server, platform, signOn, webhooks, ...own }: EngineParts,
): ApiEngine {
  const { authorizer, rbac, aggregation, allocator, quotaBook, reviews, customKinds, tokens } = own
  const { cluster, log, clientAuthority, simulatedTimes, hostMetrics, electionTimes, tls } = options
  const version = options.version.gitVersion
  const root = changingText(options.rootCertificate)
  const more = {
    rootCertificate: root,
    issueToken: tokens.issue,
    clientAuthority,
    version,
    simulatedTimes,
    hostMetrics,
    electionTimes,
    report: reportTo(log),
    log,
  }
  const parts = { registry, authorizer, rbac, aggregation, allocator, quotaBook, reviews, ...more }
  const stops: (() => Promise<void>)[] = []
  let url = options.platform?.advertiseUrl
  let users = tls.clientCa
  const proofsBy = (text: string | undefined) => ({ users: text, frontProxy: options.frontProxy?.authority })
  return {
    registry,
    server,
    accessKeys: platform?.authenticator ?? firstKnown([]),
    audit: (record) => platform?.audit(record),
    settleFirstKey: async () => platform?.settleFirstKey(),
    startCluster: async (address) => {
      await ensureBootstrapPolicy(registry)
      await ensureClusterObjects(registry, allocator.range.apiAddress, address, proofsBy(users))
      await platform?.bootstrap()
      stops.push(startControllers(cluster.upkeep, parts))
      if (options.controllers === 'none') return
      url ??= advertisedUrl(address)
      await platform?.startControllers({ url, certificate: tls.cert }, signOn?.refresh)
      stops.push(startControllers(cluster.controllers, parts))
    },
    advertise: (address) => tellApiAddress(registry, address),
    useCertificate: async (next, rootCertificate) => {
      root.change(rootCertificate)
      if (url !== undefined) await platform?.announce({ url, certificate: next.cert })
      server.useCertificate(next)
      if (next.clientCa === users) return
      await tellCallerProofs(registry, proofsBy(next.clientCa))
      users = next.clientCa
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
