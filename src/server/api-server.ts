import type { Kind } from '../api/kind.ts'
import { type AnswerRequest, createAnswer } from './answers/answer.ts'
import { auditedRequest } from './audit-record.ts'
import { readYamlIn } from './bodies/yaml-body.ts'
import { authenticateBy } from './callers/authenticate.ts'
import { authorizeBy } from './callers/authorize.ts'
import { requireStillValid } from './callers/still-valid.ts'
import type { ApiServer, ApiServerDependencies, Impersonate, RequireAudit } from './contract.ts'
import type { Exchange } from './exchange.ts'
import { Fairness } from './fairness/fairness.ts'
import { Slices } from './fairness/slices.ts'
import { UnreadMemory } from './fairness/unread-memory.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { LocalConnections } from './local/local-server.ts'
import { metricsHandler } from './metrics/handler.ts'
import { RequestMetrics } from './metrics/request-metrics.ts'
import type { NamedStep } from './pipeline.ts'
import { TrustedProxies } from './proxies/trusted-proxies.ts'
import { readRequestInfo, requirePlainUrl } from './request/request-info.ts'
import { healthRoutes } from './routes/health.ts'
import { openApiRoutes } from './routes/openapi.ts'
import type { PathRoute } from './routes/paths.ts'
import { Router } from './routes/router.ts'
import { ShutdownCheck } from './routes/shutdown-check.ts'
import { versionHandler } from './routes/version.ts'
import { type RequireAuditOf, sessionEndpoint } from './session/endpoint.ts'
import { serveStream } from './transport/http2/serve-stream.ts'
import { SecureServer } from './transport/secure-server.ts'
import { ListMemory } from './verbs/list-memory.ts'
import { Watches } from './verbs/watches.ts'
import { WaitingRequests } from './waiting.ts'

/** Assembles everything between the sockets and the registry. */
export function createApiServer(dependencies: ApiServerDependencies): ApiServer {
  const limits: Limits = { ...defaultLimits, ...dependencies.limits }
  const shutdown = new ShutdownCheck()
  const healthChecks = [...(dependencies.healthChecks ?? []), shutdown.check]
  const { answer, watches, stop } = createAnswerFor({ ...dependencies, healthChecks }, limits)
  const { tls, log, elapsed } = dependencies
  const proxies = dependencies.proxies && new TrustedProxies(dependencies.proxies)
  const server = new SecureServer({ tls, limits, proxies, log, elapsed, answer })
  // Sessions held by other components carry requests of many callers, so no answer is the last on them.
  const elsewhere = {
    answer,
    maxHeaders: limits.maxHeaders,
    onLastAnswer: () => {},
    onKnownCaller: () => {},
    onFlood: () => {},
  }
  const local = new LocalConnections(answer)
  return {
    local,
    listen: (port, host) => server.listen(port, host),
    drain: () => shutdown.begin(),
    useCertificate: (files) => server.useCertificate(files),
    serveStream: (incoming) => void serveStream(elsewhere, incoming),
    close: async () => {
      watches.close()
      await Promise.all([server.close(), local.close(limits.shutdownTimeoutMs)])
      stop()
    },
  }
}

/** The same without sockets, for tests and measurements. */
export function createAnswerFor(
  dependencies: Omit<ApiServerDependencies, 'tls'>,
  limits: Limits = { ...defaultLimits, ...dependencies.limits },
): { readonly answer: AnswerRequest; readonly watches: Watches; readonly stop: () => void } {
  const { registry, authorizer, clock, elapsed, random, log, audit, knownFlow, isAdministrator, tracing } = dependencies
  const waiting = new WaitingRequests(limits, elapsed)
  const unread = new UnreadMemory({ perOwner: limits.maxUnreadBytesPerCaller, total: limits.maxUnreadBytes })
  const fairness = new Fairness({ limits, elapsed, unread, knownFlow, isAdministrator })
  const watches = new Watches(unread)
  const metrics = new RequestMetrics()
  const slices = new Slices()
  const router = new Router({
    registry,
    reviews: dependencies.reviews ?? [],
    extraRoutes: dependencies.extraRoutes ?? [],
    aggregated: dependencies.aggregated,
    moreGroups: dependencies.moreGroups ?? (() => []),
    hasConnections: dependencies.hasConnections ?? (() => false),
    services: { authorizer, clock, random, watches, lists: new ListMemory(), slices },
    paths: pathRoutes(dependencies, metricsHandler(metrics, gaugesOf(fairness, watches), dependencies.moreMetrics)),
  })
  const steps = pipeline(dependencies, { router, waiting, fairness, limits, slices })
  const stop = () => {
    waiting.stop()
    fairness.stop()
  }
  return {
    answer: createAnswer({ steps, waiting, fairness, metrics, clock, elapsed, random, log, audit, tracing }),
    watches,
    stop,
  }
}

interface PipelineParts {
  readonly router: Router
  readonly waiting: WaitingRequests
  readonly fairness: Fairness
  readonly limits: Limits
  readonly slices: Slices
}

/**
 * The order matters. The body is not read before the caller is authenticated and authorized, and a request gets no
 * place before its body has arrived.
 */
function pipeline(
  dependencies: Omit<ApiServerDependencies, 'tls'>,
  { router, waiting, fairness, limits, slices }: PipelineParts,
): readonly NamedStep[] {
  const {
    authenticator,
    authorizer,
    clock,
    elapsed,
    sessions,
    signOn,
    pages,
    readOnward,
    impersonate = asCaller,
  } = dependencies
  const requireAuditOf = auditRequirementOf(dependencies.requireAudit)
  const { readBody } = fairness
  const checks = {
    authenticate: authenticateBy(authenticator, { sessions }),
    impersonate: impersonateBy(impersonate, authorizer),
    authorize: authorizeBy(authorizer),
  }
  return [
    { name: 'request info', run: readInfoBy(readOnward) },
    ...(pages === undefined ? [] : [{ name: 'pages', run: pages }]),
    ...(signOn === undefined ? [] : [{ name: 'sign-on', run: signOn.pages(readBody) }]),
    ...(sessions === undefined
      ? []
      : [
          {
            name: 'session',
            run: sessionEndpoint({ authenticator, clock, readBody, sessions, signOn, requireAuditOf }),
          },
        ]),
    { name: 'authenticate', run: checks.authenticate },
    { name: 'impersonate', run: checks.impersonate },
    { name: 'authorize', run: checks.authorize },
    { name: 'time limit', run: waiting.limitTime },
    { name: 'route', run: (exchange) => routeTo(exchange, router) },
    { name: 'body', run: (exchange) => bodyOf(exchange, readBody, limits) },
    { name: 'admit', run: fairness.admit },
    { name: 'audit', run: requireAuditOf },
    { name: 'yaml', run: readYamlIn(slices) },
    { name: 'still valid', run: requireStillValid(checks, { clock, elapsed }) },
    { name: 'verb', run: (exchange) => exchange.endpoint?.handler(exchange) },
  ]
}

function readInfoBy(readOnward: ApiServerDependencies['readOnward']) {
  return (exchange: Exchange): undefined => {
    const { method, url } = exchange.request
    requirePlainUrl(url)
    exchange.onward = readOnward?.(url)
    exchange.info = readRequestInfo(method, exchange.onward?.url ?? url)
  }
}

function impersonateBy(impersonate: Impersonate, authorizer: ApiServerDependencies['authorizer']) {
  return (exchange: Exchange): undefined | Promise<undefined> => {
    const user = impersonate(exchange.caller, exchange.request, authorizer, exchange.onward)
    if (!(user instanceof Promise)) {
      exchange.user = user
      return
    }
    return user.then((late) => {
      exchange.user = late
      return undefined
    })
  }
}

/** Without it, no record is written before a request is carried out. */
function auditRequirementOf(require: RequireAudit | undefined): RequireAuditOf {
  return require === undefined ? () => undefined : (exchange) => require(auditedRequest(exchange))
}

const asCaller: Impersonate = (user) => user

function routeTo(exchange: Exchange, router: Router): undefined {
  exchange.endpoint = router.find(exchange)
}

function bodyOf(exchange: Exchange, read: Fairness['readBody'], limits: Limits): undefined | Promise<undefined> {
  if (exchange.endpoint?.readsBody !== true) return
  const limit = { maxBytes: limits.maxBodyBytes, timeoutMs: limits.bodyTimeoutMs }
  return read(exchange, limit).then((body) => {
    exchange.body = body
    return undefined
  })
}

function pathRoutes(
  dependencies: Omit<ApiServerDependencies, 'tls'>,
  metrics: PathRoute['handler'],
): readonly PathRoute[] {
  const { registry, openApi, aggregated, healthChecks = [], clock, log, version } = dependencies
  return [
    ...healthRoutes(healthChecks, log),
    { path: '/version', handler: versionHandler(version), methods: 'GET' },
    { path: '/metrics', handler: metrics, methods: 'all' },
    ...(openApi === undefined
      ? []
      : openApiRoutes(
          openApi(servedKinds(registry)),
          () => clock.now(),
          () => aggregated?.all() ?? [],
        )),
  ]
}

/** Looked up again after the set of kinds has changed. */
function servedKinds(registry: ApiServerDependencies['registry']): () => readonly Kind[] {
  let current: readonly Kind[] | undefined
  registry.onChange(() => {
    current = undefined
  })
  return () => {
    current ??= registry.resources().map(({ kind }) => kind)
    return current
  }
}

function gaugesOf(fairness: Fairness, watches: Watches) {
  return { fairness, watches }
}
