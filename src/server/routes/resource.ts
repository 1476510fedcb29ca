import { type ApiError, badRequest, methodNotAllowed } from '../../api/error.ts'
import { type Kind, type PartialUpdate, qualifiedResource } from '../../api/kind.ts'
import type { Resource } from '../../registry/contract.ts'
import { readLongJson } from '../bodies/json-body.ts'
import type { Exchange, Handler, RouteEndpoint } from '../exchange.ts'
import type { Slices } from '../fairness/slices.ts'
import type { Response } from '../http.ts'
import type { ResourceInfo } from '../request/request-info.ts'
import type { Services, Verb } from '../verbs/call.ts'
import { serveCreate } from '../verbs/create.ts'
import { serveDelete, serveDeleteCollection } from '../verbs/delete.ts'
import { serveGet } from '../verbs/get.ts'
import { serveList } from '../verbs/list.ts'
import { servePatch } from '../verbs/patch.ts'
import { changeScale, readScale, replaceScale } from '../verbs/scale.ts'
import { serveUpdate } from '../verbs/update.ts'
import { serveWatch } from '../verbs/watch.ts'

type Place = 'collection' | 'all namespaces' | 'object' | 'status' | 'scale' | 'part'

const verbsAt: Readonly<Record<Exclude<Place, 'part'>, readonly string[]>> = {
  collection: ['list', 'watch', 'create', 'deletecollection'],
  'all namespaces': ['list', 'watch'],
  object: ['get', 'update', 'patch', 'delete', 'watch'],
  status: ['get', 'update', 'patch'],
  scale: ['get', 'update', 'patch'],
}

interface Implementation {
  readonly verb: Verb
  readonly readsBody: boolean
}

const implementations: ReadonlyMap<string, Implementation> = new Map([
  ['get', { verb: serveGet, readsBody: false }],
  ['list', { verb: serveList, readsBody: false }],
  ['watch', { verb: serveWatch, readsBody: false }],
  ['create', { verb: serveCreate, readsBody: true }],
  ['update', { verb: serveUpdate, readsBody: true }],
  ['patch', { verb: servePatch, readsBody: true }],
  ['delete', { verb: serveDelete, readsBody: true }],
  ['deletecollection', { verb: serveDeleteCollection, readsBody: true }],
])

const scaleImplementations: ReadonlyMap<string, Implementation> = new Map([
  ['get', { verb: readScale, readsBody: false }],
  ['update', { verb: replaceScale, readsBody: true }],
  ['patch', { verb: changeScale, readsBody: true }],
])

/** Undefined if the kind is not served at such a path. */
export function resourceEndpoint(
  info: ResourceInfo,
  resource: Resource,
  services: Services,
): RouteEndpoint | undefined {
  const place = placeOf(resource.kind, info)
  if (place === undefined) return undefined
  if (!serves(resource.kind, place, info)) throw refusedMethod(resource.kind, place, info.verb)
  const implementation = (place === 'scale' ? scaleImplementations : implementations).get(info.verb)
  if (implementation === undefined) throw refusedMethod(resource.kind, place, info.verb)
  const { verb, readsBody } = implementation
  const handler = (exchange: Exchange) => verb({ exchange, info, resource, services })
  if (!readsBody) return { handler, readsBody }
  return { handler: (exchange: Exchange) => readFirst(exchange, services.slices, resource.kind, handler), readsBody }
}

function serves(kind: Kind, place: Place, { verb, subresource }: ResourceInfo): boolean {
  const verbs: readonly string[] = place === 'part' ? partVerbs(kind, subresource) : verbsAt[place]
  return verbs.includes(verb) && kind.withoutVerbs?.includes(verb) !== true
}

function partVerbs({ partialUpdates = {} }: Kind, subresource: string): PartialUpdate['verbs'] {
  return Object.hasOwn(partialUpdates, subresource) ? (partialUpdates[subresource]?.verbs ?? []) : []
}

function placeOf(kind: Kind, info: ResourceInfo): Place | undefined {
  if (info.hasRest) return undefined
  if (!kind.namespaced && info.namespace !== '' && !isNamespaceKind(kind)) return undefined
  if (info.pathName === '') return kind.namespaced && info.namespace === '' ? 'all namespaces' : 'collection'
  if (kind.namespaced && info.namespace === '') return undefined
  return objectPlace(kind, info.subresource)
}

function objectPlace(kind: Kind, subresource: string): Place | undefined {
  switch (subresource) {
    case '':
      return 'object'
    case 'status':
      return kind.hasStatus ? 'status' : undefined
    case 'scale':
      return kind.scale === undefined ? undefined : 'scale'
    default:
      return partVerbs(kind, subresource).length > 0 ? 'part' : undefined
  }
}

function isNamespaceKind(kind: Kind): boolean {
  return kind.group === '' && kind.plural === 'namespaces'
}

function refusedMethod(kind: Kind, place: Place, verb: string): ApiError {
  if (kind.flavor === 'builtin') return methodNotAllowed()
  if (place === 'collection' && (verb === 'update' || verb === 'patch')) return badRequest('name must be provided')
  const { group, plural } = kind
  return methodNotAllowed(`${verb} is not supported on resources of kind ${JSON.stringify(qualifiedResource(kind))}`, {
    group,
    kind: plural,
  })
}

function readFirst(exchange: Exchange, slices: Slices, kind: Kind, handler: Handler): Response | Promise<Response> {
  const read = readLongJson(exchange, slices, kind)
  return read === undefined ? handler(exchange) : read.then(() => handler(exchange))
}
