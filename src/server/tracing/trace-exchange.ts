import { linkCallerName } from '../../api/link.ts'
import { pathWithoutKeys, withoutKeys } from '../../auth/keys/redact.ts'
import type { Tracing } from '../../base/tracing.ts'
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
  const { span, info, request, resourceLabel, auditId, onward } = exchange
  const attributes = {
    'http.request.method': request.method,
    'url.path': pathWithoutKeys(request.url.split('?', 1)[0] ?? ''),
    'k8s.verb': info.verb,
    'k8s.resource': resourceLabel,
    'tenant.server': server,
    'tenant.audit_id': withoutKeys(auditId),
    ...(onward !== undefined && { 'tenant.target': onward.target.kind }),
  }
  span?.end(`${info.verb} ${resourceLabel}`.trim(), attributes, status)
}

function isOverLink({ peer }: Request): boolean {
  return peer.remoteAddress === '' && peer.certificateSubject?.commonName === linkCallerName
}
