import type { Registry } from '../../registry/contract.ts'
import type { ExtraRoute } from '../contract.ts'
import { type Catalog, catalogOf } from '../discovery/catalog.ts'
import { discoveryEndpoint } from '../discovery/routes.ts'
import type { Exchange, RouteEndpoint } from '../exchange.ts'
import { isLongRunning } from '../fairness/long-running.ts'
import type { PathInfo, RequestInfo, ResourceInfo } from '../request-info.ts'
import { jsonResponse } from '../responses.ts'
import type { ReviewResource } from '../reviews/contract.ts'
import type { Services } from '../verbs/call.ts'
import { absentEndpoint } from './absent.ts'
import { type FindPath, type PathRoute, pathFinder, pathList } from './paths.ts'
import { resourceEndpoint } from './resource.ts'
import { type FindReview, reviewFinder } from './review.ts'

export interface RouterParts {
  readonly registry: Registry
  readonly reviews: readonly ReviewResource[]
  readonly paths: readonly PathRoute[]
  readonly extraRoutes: readonly ExtraRoute[]
  readonly services: Services
}

/**
 * A request that is passed on is read in full first, so that the upstream does not wait for the rest of it.
 * Long-running requests are the exception.
 */
function passesBodyOn(exchange: Exchange): boolean {
  const { method } = exchange.request
  return exchange.onward !== undefined && method !== 'GET' && method !== 'HEAD' && !isLongRunning(exchange)
}

/** Finds what answers a request that has been authorized. */
export class Router {
  readonly #parts: RouterParts
  readonly #findReview: FindReview
  readonly #findPath: FindPath
  #catalog: Catalog | undefined

  constructor(parts: RouterParts) {
    this.#parts = parts
    this.#findReview = reviewFinder(parts.reviews, parts.services.clock)
    this.#findPath = pathFinder([...parts.paths, { path: '/', handler: () => this.#index() }])
    parts.registry.onChange(() => {
      this.#catalog = undefined
    })
  }

  find(exchange: Exchange): RouteEndpoint {
    const { info } = exchange
    if (exchange.onward !== undefined) return this.#extra(exchange) ?? this.#absent(info)
    const own = info.form === 'resource' ? this.#resource(info, exchange) : this.#path(info)
    return own ?? this.#extra(exchange) ?? this.#absent(info)
  }

  /** Reviews first: no kind that a user defines answers in their place. */
  #resource(info: ResourceInfo, exchange: Exchange): RouteEndpoint | undefined {
    const { registry, services } = this.#parts
    const resource = registry.resource(info.group, info.version, info.resource)
    const endpoint = resource === undefined ? undefined : resourceEndpoint(info, resource, services)
    if (resource !== undefined) {
      const { deprecation } = resource.kind
      if (deprecation !== undefined && endpoint !== undefined) exchange.warn(deprecation)
      exchange.resourceLabel = resource.kind.plural
      exchange.hidesBody = resource.kind.hasSealedPart === true
    }
    return this.#findReview(info) ?? endpoint
  }

  #path(info: PathInfo): RouteEndpoint | undefined {
    if (info.path.startsWith('/api') && (info.verb === 'get' || info.verb === 'head')) {
      const discovery = discoveryEndpoint(info.path, this.#currentCatalog())
      if (discovery !== undefined) return discovery
    }
    return this.#findPath(info)
  }

  #extra(exchange: Exchange): RouteEndpoint | undefined {
    for (const route of this.#parts.extraRoutes) {
      const handler = route(exchange)
      if (handler !== undefined) return { handler, readsBody: passesBodyOn(exchange) }
    }
    return undefined
  }

  #absent(info: RequestInfo): RouteEndpoint {
    const { registry } = this.#parts
    const resource = info.form === 'resource' ? registry.resource(info.group, info.version, info.resource) : undefined
    return absentEndpoint(info, resource?.kind, this.#currentCatalog())
  }

  #currentCatalog(): Catalog {
    const { registry, reviews } = this.#parts
    this.#catalog ??= catalogOf(
      registry.resources().map(({ kind }) => kind),
      reviews,
    )
    return this.#catalog
  }

  #index() {
    const groups = this.#currentCatalog().groups.flatMap(({ name, versions }) => {
      const root = name === '' ? '/api' : `/apis/${name}`
      return [root, ...versions.map(({ version }) => `${root}/${version}`)]
    })
    return jsonResponse(200, { paths: pathList(this.#parts.paths, ['/api', '/apis', ...groups]) })
  }
}
