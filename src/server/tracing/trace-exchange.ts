import { linkCallerName } from '../../api/link.ts'
import { pathWithoutKeys, withoutKeys } from '../../auth/keys/redact.ts'
import type { Tracing } from '../../base/tracing.ts'
import type { Exchange } from '../exchange.ts'
import type { Request } from '../http.ts'

/** How requests are traced. */
export interface RequestTracing {
  readonly tracing: Tracing
  /** Which server of the process this is. */
  readonly server: string
  /** Whose `traceparent` is believed. What a platform asks over a link always is. */
  readonly parents: TraceParents
}

export type TraceParents = 'none' | 'all'

/** Before anything is known but where the request came from. */
export function beginSpan({ tracing, parents }: RequestTracing, exchange: Exchange): void {
  const { request } = exchange
  exchange.isParentTrusted = parents === 'all' || isOverLink(request)
  const { traceparent } = request.headers
  const parent = exchange.isParentTrusted && typeof traceparent === 'string' ? traceparent : undefined
  exchange.span = tracing.start('server', parent)
}

/** The path without its query, which may hold anything; no header and no body. */
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
