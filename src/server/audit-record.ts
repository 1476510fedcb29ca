import type { AuditedRequest, AuditRecord } from './contract.ts'
import type { Exchange } from './exchange.ts'
import { mayCreate } from './may-create.ts'

/** What is known of a request before it is carried out. */
export function auditedRequest(exchange: Exchange): AuditedRequest {
  const { request, info, onward, auditId, caller, user, receivedAtMs, decision, layer, refusedKey } = exchange
  return {
    auditId,
    verb: info.verb,
    requestUri: request.url,
    user: caller,
    ...(refusedKey === undefined ? {} : { refusedKey }),
    ...(exchange.isImpersonated ? { impersonatedUser: user } : {}),
    sourceAddress: request.peer.remoteAddress,
    userAgent: request.headers['user-agent'] ?? '',
    ...(onward === undefined ? {} : { target: onward.target }),
    ...(onward !== undefined && mayCreate(exchange) ? { mayCreate: true } : {}),
    ...(info.form === 'resource' ? { objectRef: objectRefOf(info) } : { path: info.path }),
    receivedAtMs,
    decision,
    isAuthorized: exchange.isAuthorized && !exchange.isRefused,
    ...(layer === undefined ? {} : { layer }),
  }
}

export function auditRecord(exchange: Exchange, code: number, finishedAtMs: number): AuditRecord {
  return { ...auditedRequest(exchange), code, finishedAtMs }
}

function objectRefOf(info: NonNullable<AuditRecord['objectRef']>): NonNullable<AuditRecord['objectRef']> {
  const { group, version, resource, subresource, namespace, name } = info
  return { group, version, resource, subresource, namespace, name }
}
