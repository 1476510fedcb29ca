import { type Attributes, anonymousUser, type RequestTarget, type UserInfo } from '../api/access.ts'
import { type BodyReading, readAtOnce } from '../api/decode/body.ts'
import type { RefusalLayer } from '../api/error.ts'
import type { RefusedKey } from '../auth/contract.ts'
import { AuditAnnotations } from './audit-annotations.ts'
import type { RequestFlow } from './fairness/contract.ts'
import type { Request, Response } from './http.ts'
import { emptyQuery } from './request/query.ts'
import type { RequestInfo } from './request/request-info.ts'

export type Handler = (exchange: Exchange) => Response | Promise<Response>

/** When a request was received. */
export interface Received {
  /** By the clock of the server, which may be set. */
  readonly atMs: number
  /** By the clock for durations. */
  readonly elapsedMs: number
}

/** Answers a request. If the handler needs the body, it is read before. */
export interface RouteEndpoint {
  readonly handler: Handler
  readonly readsBody: boolean
}

/** A request for another API behind this one. */
export interface ForwardTarget {
  readonly target: RequestTarget
  /** The path and query there. */
  readonly url: string
}

/**
 * One request on its way through the pipeline. Each step sets the fields that belong to it; later steps only read them.
 */
export class Exchange {
  readonly request: Request
  readonly auditId: string
  readonly received: Received
  readonly warnings: string[] = []
  info: RequestInfo = noInfo
  /** Absent: the request is for this server. Otherwise `info` describes the request to the target. */
  onward: ForwardTarget | undefined
  /** The acting user, after impersonation. */
  user: UserInfo = anonymousUser
  /** The user that sent the request. */
  caller: UserInfo = anonymousUser
  /** The access key of the request, if it is no longer valid. */
  refusedKey: RefusedKey | undefined
  decision = ''
  /** The layer that refused the request. Absent: one without a name. */
  layer: RefusalLayer | undefined
  isAuthorized = false
  /** Whether the request was refused after its authorization, by a check that runs only when it is carried out. */
  isRefused = false
  /** Whether the answer is the same for all callers: a stranger may then send more requests on the connection. */
  isOpenToAll = false
  timeoutMs = Number.POSITIVE_INFINITY
  /** The flow of the request. Absent until it is admitted. */
  flow: RequestFlow | undefined
  /**
   * Releases what others may need: a place, or one of the caller's open requests. Absent if there is nothing to
   * release.
   */
  leave: (() => void) | undefined
  /** Whether the request was answered or given up. */
  isOver = false
  /** Whether to accept no more requests on this connection. */
  endsConnection = false
  endpoint: RouteEndpoint | undefined
  /** Whether the handler may switch to another protocol. Set by routes that forward requests, and by that of links. */
  mayUpgrade = false
  /** Whether the request lasts as long as the client wants, although its URL does not show it. Set by routes. */
  isEndless = false
  /** The trace span. Absent: requests are not traced. */
  span: import('../base/tracing/tracing.ts').TraceSpan | undefined
  /** Whether the sender's trace context is trusted. */
  isParentTrusted = false
  /** The resource as metrics name it. */
  resourceLabel = ''
  body: Buffer = noBody
  /** Parses a YAML body. A body that takes long was parsed before. */
  reading: BodyReading = readAtOnce
  /** Whether the body may contain values that no answer may repeat. */
  hidesBody = false
  /** Audit annotations from admission. Absent: none. */
  annotations: AuditAnnotations | undefined

  constructor(request: Request, auditId: string, received: Received) {
    this.request = request
    this.auditId = auditId
    this.received = received
  }

  get isWatch(): boolean {
    return this.info.form === 'resource' && this.info.verb === 'watch'
  }

  get isImpersonated(): boolean {
    return this.caller !== this.user
  }

  warn(text: string): void {
    this.warnings.push(text)
  }

  /** Values are hidden for requests that may contain secrets. */
  annotate(key: string, value: string): void {
    this.annotations ??= new AuditAnnotations()
    this.annotations.add(key, this.hidesBody || isConfidential(this.info) ? '[hidden]' : value)
  }
}

/** Users' expressions and webhooks could copy the content of a Secret or a token. */
function isConfidential(info: RequestInfo): boolean {
  if (info.form !== 'resource' || info.group !== '') return false
  return info.resource === 'secrets' || info.subresource === 'token'
}

const noBody = Buffer.alloc(0)
const noInfo: RequestInfo = { form: 'path', path: '/', query: emptyQuery, verb: '' }

/** Objects have few shapes, because every layer of every decision reads them. */
export function attributesOf(info: RequestInfo, user: UserInfo, onward?: ForwardTarget): Attributes {
  if (info.form === 'path') {
    const { verb, path } = info
    return onward === undefined ? { user, verb, path } : { user, verb, path, target: onward.target }
  }
  const { verb, group, version, resource, subresource, namespace, name } = info
  const fieldSelector = verb === 'list' || verb === 'watch' ? info.query.get('fieldSelector') : undefined
  if (onward === undefined) {
    const asked = { user, verb, group, version, resource, subresource, namespace, name }
    return fieldSelector ? { ...asked, fieldSelector } : asked
  }
  return { user, verb, group, version, resource, subresource, namespace, name, target: onward.target }
}
