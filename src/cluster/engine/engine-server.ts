import type { Authenticator, Authorizer } from '../../auth/contract.ts'
import { mayDoEverything } from '../../auth/may-do-everything.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ObjectRegistry } from '../../registry/registry.ts'
import { createApiServer } from '../../server/api-server.ts'
import { impersonate } from '../../server/callers/impersonation.ts'
import type { ApiServer } from '../../server/contract.ts'
import { createOpenApi } from '../../server/openapi/open-api.ts'
import type { ReviewResource } from '../../server/reviews/contract.ts'
import { issuerDiscovery } from '../../server/routes/issuer-discovery.ts'
import { noCustomDefinitions } from '../../server/routes/no-custom-definitions.ts'
import type { RunningSignOn } from '../../sign-on/sign-on.ts'
import { issuer } from '../access/authentication.ts'
import type { ClusterAggregation } from '../extensions/aggregation.ts'
import type { ClusterWebhooks } from '../extensions/cluster-webhooks.ts'
import { backupRoute } from '../routes/backup-route.ts'
import { storageCheck, writesCheck } from '../routes/health-checks.ts'
import type { StoreRoom } from '../store/store-room.ts'
import type { ApiEngineOptions } from './engine-contract.ts'

export interface EngineServerParts {
  readonly registry: ObjectRegistry
  readonly room: StoreRoom
  readonly platform: Platform | undefined
  readonly signOn: RunningSignOn | undefined
  readonly webhooks: ClusterWebhooks | undefined
  readonly aggregation: ClusterAggregation | undefined
  readonly authenticator: Authenticator
  readonly authorizer: Authorizer
  /** Reviews that every cluster answers. */
  readonly reviews: readonly ReviewResource[]
}

/** HTTPS in front of a registry, with the cluster's reviews and routes. */
export function createEngineServer(options: ApiEngineOptions, parts: EngineServerParts): ApiServer {
  const { registry, room, platform, signOn, webhooks, aggregation, authenticator, authorizer } = parts
  const { clock, elapsed, random, log, tls, version } = options
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
    elapsed,
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
    healthChecks: [
      storageCheck(room.store),
      writesCheck(room),
      ...(platform?.healthChecks ?? []),
      ...(options.healthChecks ?? []),
    ],
  })
}

/** The parts of the platform that take part in requests. */
function requestsOf({ audit, requireAudit, sessions, pages, readOnward, knownFlow }: Platform) {
  return { audit, requireAudit, sessions, pages, readOnward, knownFlow }
}
