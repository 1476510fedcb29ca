import { parseBody } from '../../api/decode/body.ts'
import type { ParsedBody } from '../../api/decode/contract.ts'
import { decodeObject } from '../../api/decode/object.ts'
import { methodNotAllowed } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import { unstoredKind } from '../../api/unstored-kind.ts'
import type { Clock } from '../../base/clock.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { trackUpdate } from '../../registry/fields/track.ts'
import { bodyFormat } from '../bodies/body.ts'
import { valueResponse } from '../encode/value.ts'
import type { Exchange, RouteEndpoint } from '../exchange.ts'
import type { Response } from '../http.ts'
import { createOptions, managerFromUserAgent } from '../options/write-options.ts'
import { type MediaType, negotiateListed, negotiateText } from '../request/negotiate.ts'
import type { ResourceInfo } from '../request/request-info.ts'
import { type ReviewContext, type ReviewResource, reviewVerb } from '../reviews/contract.ts'

export type FindReview = (info: ResourceInfo) => RouteEndpoint | undefined

/** Finds reviews by the path at which they are created. */
export function reviewFinder(reviews: readonly ReviewResource[], clock: Clock): FindReview {
  const byPath = new Map(reviews.map((review) => [pathKey(review), { review, kind: kindOfReview(review) }]))
  return (info) => {
    const { group, version, resource, subresource, hasRest } = info
    const found = hasRest ? undefined : byPath.get(`${group}/${version}/${resource}/${subresource}`)
    if (found === undefined || !isPlaced(found.review, info)) return undefined
    if (info.verb !== reviewVerb(found.review)) throw methodNotAllowed()
    return found.review.isRead === true
      ? { handler: (exchange) => readReview(found.review, info, exchange), readsBody: false }
      : { handler: (exchange) => createReview(found, info, exchange, clock), readsBody: true }
  }
}

function pathKey({ group, version, plural, parent, hasOwnParent }: ReviewResource): string {
  if (parent === undefined) return `${group}/${version}/${plural}/`
  return hasOwnParent === true ? `${group}/${version}/${parent}/${plural}` : `/v1/${parent}/${plural}`
}

function isPlaced(review: ReviewResource, { namespace, pathName }: ResourceInfo): boolean {
  const hasParent = review.parent !== undefined
  return (namespace !== '') === review.namespaced && (pathName !== '') === hasParent
}

async function readReview(review: ReviewResource, info: ResourceInfo, exchange: Exchange): Promise<Response> {
  const media = mediaFor(review, exchange)
  const { group, version, kind } = review
  const question = { apiVersion: `${group}/${version}`, kind, metadata: {} }
  const context = contextOf(info, exchange, false)
  return valueResponse(200, await review.review(question, context), media)
}

function mediaFor({ protobufMessage }: ReviewResource, exchange: Exchange): MediaType {
  return protobufMessage === undefined ? negotiateText(exchange) : negotiateListed(exchange)
}

/** A body of an older version is read as the served version. */
function inServedVersion({ group, version, olderVersions = [] }: ReviewResource, body: ParsedBody): ParsedBody {
  const { value } = body
  if (!isJsonObject(value) || !olderVersions.includes(String(value.apiVersion))) return body
  return { ...body, value: { ...value, apiVersion: `${group}/${version}` } }
}

async function createReview(
  { review, kind }: { readonly review: ReviewResource; readonly kind: Kind },
  info: ResourceInfo,
  exchange: Exchange,
  clock: Clock,
): Promise<Response> {
  const media = mediaFor(review, exchange)
  const input = decodeReview(review, kind, info, exchange)
  const { dryRun, fieldManager } = createOptions(info.query)
  const manager = fieldManager || managerFromUserAgent(exchange.request.headers['user-agent'])
  const asked = tracked(review, kind, review.defaults?.(input) ?? input, manager, clock.now())
  return valueResponse(201, await review.review(asked, contextOf(info, exchange, dryRun)), media)
}

function tracked(
  { isTracked, parent, plural }: ReviewResource,
  kind: Kind,
  after: KubeObject,
  manager: string,
  nowMs: number,
): KubeObject {
  if (isTracked !== true) return after
  return trackUpdate({
    kind,
    before: undefined,
    after,
    manager,
    subresource: parent === undefined ? '' : plural,
    nowMs,
  })
}

function contextOf({ namespace, pathName }: ResourceInfo, exchange: Exchange, dryRun: boolean): ReviewContext {
  return {
    user: exchange.user,
    owner: exchange.flow?.owner ?? exchange.caller.name,
    namespace,
    name: pathName,
    dryRun,
    warn: (text) => exchange.warn(text),
    annotate: (key, value) => exchange.annotate(key, value),
    get signal() {
      return exchange.request.signal
    },
  }
}

function decodeReview(review: ReviewResource, kind: Kind, info: ResourceInfo, exchange: Exchange): KubeObject {
  const format = bodyFormat(exchange)
  const { fieldValidation } = createOptions(info.query)
  const { olderVersions = [] } = review
  const body = inServedVersion(review, parseBody(exchange.body, format, { ...kind, olderVersions }, exchange.reading))
  const { object, complaints } = decodeObject(kind, body, { strict: fieldValidation === 'Strict' })
  if (fieldValidation === 'Warn') for (const complaint of complaints) exchange.warn(complaint)
  return object
}

/** A review is decoded like a built-in kind. */
export function kindOfReview(review: ReviewResource): Kind {
  const { group, version, kind, plural, singular, namespaced, schema, protobufMessage } = review
  return {
    ...unstoredKind,
    group,
    version,
    kind,
    plural,
    singular,
    namespaced,
    schema,
    ...(protobufMessage === undefined ? {} : { protobufMessage }),
  }
}
