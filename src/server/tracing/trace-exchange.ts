import { linkCallerName } from '../../api/link.ts'
import { pathWithoutKeys, withoutKeys } from '../../auth/keys/redact.ts'
import type { Tracing } from '../../base/tracing/tracing.ts'
import type { Exchange } from '../exchange.ts'
import type { Request } from '../http.ts'

/** Settings for tracing requests. */
export interface RequestTracing {
  readonly tracing: Tracing
  /** The name of this server within the process. */
  readonly server: string
  /** The senders whose `traceparent` is trusted. A platform is always trusted over a link. */
  readonly parents: TraceParents
}

export type TraceParents = 'none' | 'all'

/** No kind that a cluster serves has a longer name. */
const longestResource = 63

/** Runs first, when only the source of the request is known. */
export function beginSpan({ tracing, parents }: RequestTracing, exchange: Exchange): void {
  const { request } = exchange
  exchange.isParentTrusted = parents === 'all' || isOverLink(request)
  const { traceparent } = request.headers
  const parent = exchange.isParentTrusted && typeof traceparent === 'string' ? traceparent : undefined
  exchange.span = tracing.start('server', parent)
}

/** Records the path without its query, which may contain anything; no headers and no body. */
export function endSpan({ server }: RequestTracing, exchange: Exchange, status: number): void {
  const { span, info, request, auditId, onward } = exchange
  const resource = resourceOf(exchange)
  const attributes = {
    'http.request.method': request.method,
    'url.path': pathWithoutKeys(request.url.split('?', 1)[0] ?? ''),
    'k8s.verb': info.verb,
    'k8s.resource': resource,
    'tenant.server': server,
    'tenant.audit_id': withoutKeys(auditId),
    ...(onward !== undefined && { 'tenant.target': onward.target.kind }),
  }
  span?.end(`${info.verb} ${resource}`.trim(), attributes, status)
}

/** For a request that is passed on, the resource of the API behind this one, if the caller may ask for it. */
function resourceOf({ resourceLabel, onward, isAuthorized, info }: Exchange): string {
  if (onward === undefined || !isAuthorized || info.form === 'path') return resourceLabel
  return withoutKeys(info.resource.slice(0, longestResource))
}

function isOverLink({ peer }: Request): boolean {
  return peer.remoteAddress === '' && peer.certificateSubject?.commonName === linkCallerName
}
