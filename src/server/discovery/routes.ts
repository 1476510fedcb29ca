import { methodNotAllowed } from '../../api/error.ts'
import { valueResponse } from '../encode/value.ts'
import type { Exchange, Handler, RouteEndpoint } from '../exchange.ts'
import { headerOf, type Response } from '../http.ts'
import { negotiateListed, negotiatePlain } from '../request/negotiate.ts'
import type { AggregatedVersion } from './aggregated.ts'
import { askedVersion } from './asked-version.ts'
import type { ApiGroup, Catalog } from './catalog.ts'
import type { DiscoveryDocument, DiscoveryDocuments } from './documents.ts'
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy.ts'

/** Undefined for a group or version that is not served. */
export function discoveryEndpoint(
  path: string,
  catalog: Catalog,
  documents: DiscoveryDocuments,
): RouteEndpoint | undefined {
  const handler = discoveryHandler(path.split('/').slice(1), catalog, documents)
  return handler === undefined ? undefined : { handler, readsBody: false }
}

function discoveryHandler(
  [root, first, second, ...rest]: readonly string[],
  catalog: Catalog,
  documents: DiscoveryDocuments,
): Handler | undefined {
  if (rest.length > 0 || (root !== 'api' && root !== 'apis')) return undefined
  if (first === undefined) return root === 'api' ? coreRoot(catalog, documents) : groupsRoot(catalog, documents)
  const group = catalog.groups.find(({ name }) => name === (root === 'api' ? '' : first))
  if (group === undefined) return undefined
  if (root === 'api') return second === undefined ? versionList(group, first) : undefined
  if (first === '') return undefined
  return second === undefined ? plainly(() => apiGroup(group)) : versionList(group, second)
}

function coreRoot(catalog: Catalog, documents: DiscoveryDocuments): Handler {
  const plain = listed(({ request }) => apiVersions(catalog, request.peer.localAddress))
  return readOnly(
    (exchange) => aggregatedIfAsked(exchange, (version) => documents.of(catalog, 'core', version)) ?? plain(exchange),
  )
}

function groupsRoot(catalog: Catalog, documents: DiscoveryDocuments): Handler {
  const plain = plainly(() => apiGroupList(catalog))
  return (exchange) =>
    aggregatedIfAsked(exchange, (version) => documents.of(catalog, 'others', version)) ?? plain(exchange)
}

function versionList(group: ApiGroup, version: string): Handler | undefined {
  const found = group.versions.find((each) => each.version === version)
  if (found === undefined || found.foreign !== undefined) return undefined
  const isBuiltin = found.resources.some(({ flavor }) => flavor === 'builtin')
  const list = () => apiResourceList(group.name, found)
  return isBuiltin ? readOnly(listed(list)) : plainly(list)
}

/** Versions of Kubernetes' own kinds accept only GET; other discovery paths accept any method. */
function readOnly(handler: Handler): Handler {
  return (exchange) => {
    if (exchange.request.method !== 'GET') throw methodNotAllowed()
    return handler(exchange)
  }
}

function listed(make: (exchange: Exchange) => object): Handler {
  return (exchange) => valueResponse(200, make(exchange), negotiateListed(exchange))
}

function plainly(make: (exchange: Exchange) => object): Handler {
  return (exchange) => valueResponse(200, make(exchange), negotiatePlain(exchange))
}

function aggregatedIfAsked(
  exchange: Exchange,
  documentOf: (version: AggregatedVersion) => DiscoveryDocument,
): Response | undefined {
  const version = askedVersion(headerOf(exchange.request, 'accept') ?? '')
  if (version === undefined) return undefined
  const { body, etag } = documentOf(version)
  const headers = ['Cache-Control', 'public', 'Etag', etag, 'Vary', 'Accept']
  if (headerOf(exchange.request, 'if-none-match') === etag) return { status: 304, headers, body: Buffer.alloc(0) }
  const contentType = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`
  return { status: 200, headers: [...headers, 'Content-Type', contentType], body }
}
