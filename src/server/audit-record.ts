import type { AuditedObject, AuditedRequest, AuditRecord } from './contract.ts'
import type { Exchange } from './exchange.ts'
import { mayCreate } from './may-create.ts'

/**
 * The facts about a request before it is carried out. Every request builds two of these, always with the same members.
 */
export function auditedRequest(exchange: Exchange): AuditedRequest {
  const { request, info, onward, user, layer } = exchange
  const isObject = info.form === 'resource'
  return {
    auditId: exchange.auditId,
    verb: info.verb,
    requestUri: request.url,
    user: exchange.caller,
    refusedKey: exchange.refusedKey,
    impersonatedUser: exchange.isImpersonated ? user : undefined,
    sourceAddress: request.clientAddress,
    userAgent: request.headers['user-agent'] ?? '',
    target: onward?.target,
    mayCreate: (onward !== undefined && mayCreate(exchange)) || undefined,
    path: isObject ? undefined : info.path,
    objectRef: isObject ? objectRefOf(info) : undefined,
    receivedAtMs: exchange.received.atMs,
    decision: exchange.decision,
    isAuthorized: exchange.isAuthorized && !exchange.isRefused,
    layer,
  }
}

export function auditRecord(exchange: Exchange, code: number, finishedAtMs: number): AuditRecord {
  return Object.assign(auditedRequest(exchange), { code, finishedAtMs, annotations: exchange.annotations?.all })
}

function objectRefOf({ group, version, resource, subresource, namespace, name }: AuditedObject): AuditedObject {
  return { group, version, resource, subresource, namespace, name }
}
