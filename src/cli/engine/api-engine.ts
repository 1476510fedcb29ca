import type { Kind } from '../../api/kind.ts'
import type { Authenticator } from '../../auth/contract.ts'
import { firstKnown } from '../../auth/first-known.ts'
import { limitFailures } from '../../auth/keys/failure-limit.ts'
import { createRbacIndex } from '../../auth/rbac/rbac-index.ts'
import { createTokenIssuer } from '../../auth/service-account-issuer.ts'
import { createServiceAccountAuthenticator, type FindObject } from '../../auth/service-account-tokens.ts'
import type { Clock } from '../../base/clock.ts'
import type { SigningKey, VerifyingKey } from '../../base/keypair.ts'
import type { Log } from '../../base/log.ts'
import type { Random } from '../../base/random.ts'
import { createPlatform, type Platform, type PlatformOptions } from '../../platform/platform.ts'
import {
  defaultServiceNetwork,
  ServiceAllocator,
  type ServiceNetwork,
} from '../../registry/allocation/service-allocator.ts'
import { ObjectRegistry } from '../../registry/registry.ts'
import { createApiServer } from '../../server/api-server.ts'
import type { ApiServer, ApiServerDependencies, TlsFiles, VersionInfo } from '../../server/contract.ts'
import { impersonate } from '../../server/impersonation.ts'
import { createOpenApi } from '../../server/openapi/open-api.ts'
import { reviewResources } from '../../server/reviews/resources.ts'
import { noCustomDefinitions } from '../../server/routes/no-custom-definitions.ts'
import type { Store } from '../../storage/contract.ts'
import { advertisedUrl } from './advertised-url.ts'
import { ensureClusterObjects, reportTo, startControllers } from './controllers.ts'
import { hooksFor } from './hooks.ts'
import { ensureBootstrapPolicy, feedRbacIndex } from './rbac.ts'

export interface ApiEngineOptions {
  readonly store: Store
  readonly kinds: readonly Kind[]
  /** Asked before service account tokens. */
  readonly authenticator: Authenticator
  readonly tls: TlsFiles
  /** The certificate that clients trust, published in every namespace. */
  readonly rootCertificate: string
  readonly serviceAccountKey: SigningKey
  readonly verifyingKeys: readonly VerifyingKey[]
  readonly version: VersionInfo
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly network?: ServiceNetwork
  /** Addresses of Services are another cluster's, and filled in by this user. The kind of Services has to allow it. */
  readonly addressesFilledInBy?: string
  /** Without them nothing is collected, terminated or filled in: for tests of the bare API. */
  readonly withControllers?: boolean
  readonly server?: Pick<ApiServerDependencies, 'limits' | 'extraRoutes' | 'audit' | 'moreMetrics'>
  /** Makes the server the platform: access keys, owners and projects count. */
  readonly platform?: Pick<PlatformOptions, 'domain' | 'settings' | 'audit' | 'license'> & {
    /** Where other replicas reach this one. Absent: where it listens. */
    readonly advertiseUrl?: string
  }
}

/** One API server: a registry over a store, its controllers, and HTTPS in front of it. */
export interface ApiEngine {
  readonly registry: ObjectRegistry
  readonly server: ApiServer
  /** Bootstraps what a cluster needs and starts the controllers. Call it once the server's address is known. */
  startCluster(address: { readonly host: string; readonly port: number }): Promise<void>
  stop(): Promise<void>
}

const issuer = 'https://kubernetes.default.svc.cluster.local'
const serverAudiences: readonly string[] = [issuer]

export async function createApiEngine(options: ApiEngineOptions): Promise<ApiEngine> {
  const { store, clock, random, log } = options
  const registry = new ObjectRegistry({ store, clock, random })
  const rbac = createRbacIndex()
  const parts = { registry, clock, random, report: reportTo(log) }
  const allocator = new ServiceAllocator(store, random, options.network ?? defaultServiceNetwork)
  const platform = options.platform && createPlatform({ ...options.platform, ...parts, authorizer: rbac.authorizer })
  for (const kind of options.kinds) {
    registry.add(
      kind,
      platform?.hooksFor(kind) ?? hooksFor(kind, { rbac, allocator, addressesFilledInBy: options.addressesFilledInBy }),
    )
  }
  await registry.start()
  feedRbacIndex(rbac, registry)
  platform?.connect()

  const findObject: FindObject = (kind, namespace, name) =>
    registry.engine.find('', kind)?.cache.get({ namespace, name })?.object
  const known = firstKnown([
    ...(platform === undefined ? [] : [platform.authenticator]),
    options.authenticator,
    createServiceAccountAuthenticator({ issuer, keys: options.verifyingKeys, serverAudiences, clock, findObject }),
  ])
  const authenticator = platform === undefined ? known : limitFailures(known, { clock })
  const { authorizer } = platform ?? rbac
  const ownReviews = platform?.reviews ?? []
  const clusterReviews = reviewResources({
    authenticator,
    authorizer,
    clock,
    issueToken: createTokenIssuer({ issuer, key: options.serviceAccountKey, clock, random }),
    findObject,
    serverAudiences,
  })
  const reviews = [...clusterReviews, ...ownReviews]
  const server = createApiServer({
    ...(platform === undefined ? {} : requestsOf(platform)),
    ...options.server,
    extraRoutes: [...(platform?.extraRoutes ?? []), ...(options.server?.extraRoutes ?? []), noCustomDefinitions],
    registry,
    authenticator,
    authorizer,
    impersonate,
    reviews,
    openApi: (kinds) => createOpenApi(() => kinds, reviews),
    clock,
    random,
    log,
    tls: options.tls,
    version: options.version,
    healthChecks: [{ name: 'storage', only: ['readyz'], check: () => store.currentRevision().then(() => {}) }],
  })

  let stopControllers = async (): Promise<void> => {}
  return {
    registry,
    server,
    startCluster: async (address) => {
      await ensureBootstrapPolicy(registry)
      await ensureClusterObjects(registry, allocator.range.apiAddress, address)
      await platform?.bootstrap()
      if (options.withControllers === false) return
      const url = options.platform?.advertiseUrl ?? advertisedUrl(address)
      await platform?.startControllers({ url, certificate: options.tls.cert })
      stopControllers = startControllers({
        registry,
        allocator,
        log,
        rootCertificate: options.rootCertificate,
      })
    },
    stop: async () => {
      await platform?.drain()
      await server.close()
      await platform?.stop()
      await stopControllers()
      await registry.stop()
    },
  }
}

/** How the platform takes part in requests. */
function requestsOf({ audit, sessions, pages, readOnward }: Platform) {
  return { audit, sessions, pages, readOnward }
}
