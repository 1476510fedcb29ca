import { methodNotAllowed } from '../../api/error.ts'
import type { Registry } from '../../registry/contract.ts'
import type { ExtraRoute } from '../contract.ts'
import { type ApiGroup, type Catalog, catalogOf } from '../discovery/catalog.ts'
import { withConnections } from '../discovery/connections.ts'
import { DiscoveryDocuments } from '../discovery/documents.ts'
import { type AggregatedCatalog, withAggregated } from '../discovery/foreign.ts'
import { discoveryEndpoint } from '../discovery/routes.ts'
import type { Exchange, RouteEndpoint } from '../exchange.ts'
import { isLongRunning } from '../fairness/long-running.ts'
import { groupDocuments } from '../openapi/foreign-index.ts'
import type { PathInfo, RequestInfo, ResourceInfo } from '../request/request-info.ts'
import { jsonResponse } from '../responses/responses.ts'
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
  readonly moreGroups: () => readonly ApiGroup[]
  readonly hasConnections: () => boolean
  readonly services: Services
  /** The APIs behind APIServices. */
  readonly aggregated?: AggregatedCatalog | undefined
}

/**
 * A forwarded request is read completely first, so that the upstream does not wait for the rest of it. Long-running
 * requests are the exception.
 */
function passesBodyOn(exchange: Exchange): boolean {
  const { method } = exchange.request
  const isPassedOn = exchange.onward !== undefined || exchange.info.form === 'resource'
  return isPassedOn && method !== 'GET' && method !== 'HEAD' && !isLongRunning(exchange)
}

/** Finds the endpoint for an authorized request. */
export class Router {
  readonly #parts: RouterParts
  readonly #findReview: FindReview
  readonly #findPath: FindPath
  readonly #documents = new DiscoveryDocuments()
  #catalog: Catalog | undefined
  #shown: ShownCatalog | undefined

  constructor(parts: RouterParts) {
    this.#parts = parts
    this.#findReview = reviewFinder(parts.reviews, parts.services.clock)
    this.#findPath = pathFinder([...parts.paths, { path: '/', handler: () => this.#index(), methods: 'all' }])
    const forget = () => {
      this.#catalog = undefined
      this.#shown = undefined
    }
    parts.registry.onChange(forget)
    parts.aggregated?.onChange(forget)
  }

  find(exchange: Exchange): RouteEndpoint {
    const { info } = exchange
    if (exchange.onward !== undefined) return this.#extra(exchange) ?? this.#absent(info)
    const own = info.form === 'resource' ? this.#resource(info, exchange) : this.#path(info)
    if (info.path.startsWith(groupDocuments)) return this.#extra(exchange) ?? own ?? this.#absent(info)
    return own ?? this.#extra(exchange) ?? this.#absent(info)
  }

  /** Reviews come first: no kind that a user defines can answer in their place. */
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
    const found = this.#findReview(info) ?? endpoint
    if (found !== undefined && resource?.kind.flavor === 'builtin' && exchange.request.method === 'HEAD') {
      throw methodNotAllowed()
    }
    return found
  }

  #path(info: PathInfo): RouteEndpoint | undefined {
    if (info.path.startsWith('/api')) {
      const discovery = discoveryEndpoint(info.path, this.#currentCatalog(), this.#documents)
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

  /** Returns the same catalog until something changes, because documents are cached with it. */
  #currentCatalog(): Catalog {
    const more = this.#parts.moreGroups()
    const isConnected = this.#parts.hasConnections()
    const shown = this.#shown
    if (shown !== undefined && shown.isConnected === isConnected && isSameList(shown.more, more)) return shown.catalog
    const served = this.#servedCatalog()
    const catalog = withGroups(isConnected ? withConnections(served) : served, more)
    this.#shown = { more, isConnected, catalog }
    return catalog
  }

  #servedCatalog(): Catalog {
    const { registry, reviews, aggregated } = this.#parts
    this.#catalog ??= withAggregated(
      catalogOf(
        registry.resources().map(({ kind }) => kind),
        reviews,
      ),
      aggregated?.all() ?? [],
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

interface ShownCatalog {
  readonly catalog: Catalog
  /** Groups added to those served here. */
  readonly more: readonly ApiGroup[]
  /** Whether connections into Pods are listed. */
  readonly isConnected: boolean
}

function isSameList(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((each, index) => each === right[index])
}

/** A group that users have defined stays theirs. */
function withGroups({ groups }: Catalog, more: readonly ApiGroup[]): Catalog {
  if (more.length === 0) return { groups }
  return { groups: [...groups, ...more.filter(({ name }) => !groups.some((group) => group.name === name))] }
}
