import type { UserInfo } from '../../api/access.ts'
import { pathWithoutKeys, withoutKeys } from '../../auth/keys/redact.ts'
import { targetText } from '../../auth/keys/usage/target-text.ts'
import { serviceAccountUserName } from '../../auth/service-account-name.ts'
import { microTimestamp } from '../../base/clock.ts'
import { escapedJson } from '../../base/unseen.ts'
import type { AuditedRequest, AuditRecord } from '../../server/contract.ts'

/** A finished request as a line of JSON. It contains no bodies, no query strings and no key values. */
export function auditLine(record: AuditRecord): string {
  return printed({
    ...whatIsAsked(record),
    code: record.code,
    decision: decisionOf(record),
    layer: layerOf(record),
    ...(record.decision === '' ? {} : { reason: record.decision }),
    ...(record.annotations === undefined ? {} : { annotations: record.annotations }),
    source: record.sourceAddress,
    userAgent: record.userAgent,
    latencyMs: record.finishedAtMs - record.receivedAtMs,
  })
}

/** A request that is about to be carried out. It has no code yet. */
export function receivedLine(request: AuditedRequest): string {
  const { sourceAddress: source, userAgent } = request
  return printed({ ...whatIsAsked(request), stage: 'RequestReceived', source, userAgent })
}

function whatIsAsked(request: AuditedRequest) {
  const { user, impersonatedUser, objectRef } = request
  return {
    time: microTimestamp(request.receivedAtMs),
    auditId: request.auditId,
    ...keyOf(request),
    user: user.name,
    ...(impersonatedUser === undefined ? {} : { impersonated: impersonatedName(impersonatedUser) }),
    verb: request.verb,
    target: targetText(request.target ?? { kind: 'management' }),
    path: pathWithoutKeys(pathOf(request.requestUri)),
    ...(objectRef === undefined ? {} : { object: objectRef }),
  }
}

function impersonatedName({ name, account }: UserInfo): string {
  return account === undefined ? name : serviceAccountUserName(account.namespace, account.name)
}

function printed(line: object): string {
  return `${escapedJson(withoutKeys(JSON.stringify(line)))}\n`
}

/** For a session, includes the key that it was started with. */
function keyOf({ user, refusedKey }: AuditedRequest) {
  const key = user.credential ?? refusedKey
  if (key === undefined) return {}
  const startedWith = user.credential?.startedWith
  return {
    keyId: key.keyId,
    key: key.keyName,
    ...(startedWith === undefined ? {} : { startedWith: startedWith.keyName }),
  }
}

/** Drops the query, which may contain anything, even a token. */
function pathOf(uri: string): string {
  const question = uri.indexOf('?')
  return question < 0 ? uri : uri.slice(0, question)
}

function decisionOf({ code, isAuthorized }: AuditRecord): 'allow' | 'deny' | 'unauthenticated' {
  if (isAuthorized) return 'allow'
  return code === 401 || code === 429 ? 'unauthenticated' : 'deny'
}

/** The layer that made the final decision. */
function layerOf(record: AuditRecord): string {
  switch (decisionOf(record)) {
    case 'unauthenticated':
      return 'key'
    case 'allow':
      return 'rbac'
    case 'deny':
      return record.layer ?? 'admission'
  }
}
