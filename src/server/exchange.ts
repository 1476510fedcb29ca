import { type Attributes, anonymousUser, type RequestTarget, type UserInfo } from '../api/access.ts'
import { type BodyReading, readAtOnce } from '../api/decode/body.ts'
import type { RefusalLayer } from '../api/error.ts'
import type { RefusedKey } from '../auth/contract.ts'
import { AuditAnnotations } from './audit-annotations.ts'
import type { RequestFlow } from './fairness/contract.ts'
import type { Request, Response } from './http.ts'
import { emptyQuery } from './query.ts'
import type { RequestInfo } from './request-info.ts'

export type Handler = (exchange: Exchange) => Response | Promise<Response>

/** What answers a request. The body is read beforehand when the handler wants it. */
export interface RouteEndpoint {
  readonly handler: Handler
  readonly readsBody: boolean
}

/** A request that is for another API behind this one. */
export interface Onward {
  readonly target: RequestTarget
  /** What is asked there: path and query. */
  readonly url: string
}

/**
 * One request on its way through the pipeline. Each step fills in what it is named after; later steps only read it.
 */
export class Exchange {
  readonly request: Request
  readonly auditId: string
  readonly receivedAtMs: number
  readonly warnings: string[] = []
  info: RequestInfo = noInfo
  /** Absent: the request is for this very server. `info` is about what is asked there. */
  onward: Onward | undefined
  /** Who is acting, after impersonation. */
  user: UserInfo = anonymousUser
  /** Who sent the request. */
  caller: UserInfo = anonymousUser
  /** The access key that the request came with, and that is no good any more. */
  refusedKey: RefusedKey | undefined
  decision = ''
  /** Which part refused the request. Absent: none that has a name. */
  layer: RefusalLayer | undefined
  isAuthorized = false
  /** Refused after all, by something that only shows when it is about to be done. */
  isRefused = false
  /** The answer is the same for all callers: a stranger may send more requests on the same connection. */
  isOpenToAll = false
  timeoutMs = Number.POSITIVE_INFINITY
  /** Whose turn it is. Absent until it has come. */
  flow: RequestFlow | undefined
  /** Gives back what others may need: a place, or what the caller may have open. Absent when there is nothing. */
  leave: (() => void) | undefined
  /** Answered, or given up. */
  isOver = false
  /** No more requests are wanted on the connection that this one came by. */
  endsConnection = false
  endpoint: RouteEndpoint | undefined
  /** What answers it may go on in another protocol. Nothing does that this server answers by itself. */
  mayUpgrade = false
  /** What it is in a trace. Absent: requests are not traced. */
  span: import('../base/tracing.ts').TraceSpan | undefined
  /** Whether what the sender says of a trace is believed. */
  isParentTrusted = false
  /** The resource as metrics name it. */
  resourceLabel = ''
  body: Buffer = noBody
  /** Reads a body in YAML. One that takes long has been read by then. */
  reading: BodyReading = readAtOnce
  /** The body may hold what no answer may repeat. */
  hidesBody = false
  /** What admission puts on record. Absent: nothing. */
  annotations: AuditAnnotations | undefined

  constructor(request: Request, auditId: string, receivedAtMs: number) {
    this.request = request
    this.auditId = auditId
    this.receivedAtMs = receivedAtMs
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

  /** Of what may hold secrets, no value is put on record. */
  annotate(key: string, value: string): void {
    this.annotations ??= new AuditAnnotations()
    this.annotations.add(key, this.hidesBody || isConfidential(this.info) ? '[hidden]' : value)
  }
}

/** Expressions and webhooks of users could copy what is in a Secret, or a token. */
function isConfidential(info: RequestInfo): boolean {
  if (info.form !== 'resource' || info.group !== '') return false
  return info.resource === 'secrets' || info.subresource === 'token'
}

const noBody = Buffer.alloc(0)
const noInfo: RequestInfo = { form: 'path', path: '/', query: emptyQuery, verb: '' }

/** Objects of few shapes, because every layer of every decision reads them. */
export function attributesOf(info: RequestInfo, user: UserInfo, onward?: Onward): Attributes {
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
