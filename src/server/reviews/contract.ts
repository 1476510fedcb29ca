import type { UserInfo } from '../../api/access.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Schema } from '../../api/schema.ts'
import type { Authenticator, Authorizer } from '../../auth/contract.ts'
import type { TokenIssuer } from '../../auth/service-account-issuer.ts'
import type { FindObject } from '../../auth/service-account-tokens.ts'
import type { Clock } from '../../base/clock.ts'
import type { AnnotateAudit } from '../../registry/contract.ts'

/**
 * A question that is asked by creating an object, or by reading one, and answered on the spot; nothing is stored. Described like a kind,
 * so that discovery, OpenAPI and decoding need no special case.
 */
export interface ReviewResource {
  readonly group: string
  readonly version: string
  readonly kind: string
  /** Versions that a body may call itself by too, whatever is served. */
  readonly olderVersions?: readonly string[]
  /** The path segment: the resource, or the subresource of `parent`. */
  readonly plural: string
  readonly singular: string
  readonly namespaced: boolean
  /** Served as a subresource of this resource of the core group instead of on its own. */
  readonly parent?: string
  /** The parent is of the review's own group instead. */
  readonly hasOwnParent?: boolean
  /** Asked by reading it, without a body. */
  readonly isRead?: boolean
  /** The answer tells who asked for which fields, as that to an object's writer does. */
  readonly isTracked?: boolean
  /** What is added to the question before that. */
  readonly defaults?: (input: KubeObject) => KubeObject
  /** The whole object. */
  readonly schema: Schema
  /** Absent: taken and answered as JSON and YAML only. */
  readonly protobufMessage?: string
  /** `input` has been held against the schema. Throws ApiError for a refusal. */
  readonly review: (input: KubeObject, context: ReviewContext) => KubeObject | Promise<KubeObject>
}

export function reviewVerb({ isRead }: Pick<ReviewResource, 'isRead'>): 'get' | 'create' {
  return isRead === true ? 'get' : 'create'
}

/** Where and by whom the question is asked. */
export interface ReviewContext {
  /** Who is acting, after impersonation. */
  readonly user: UserInfo
  /** Of the path; empty when it has none. */
  readonly namespace: string
  /** Of the parent object, for subresources. */
  readonly name: string
  /** Whose budget it is that expensive work is taken from. */
  readonly owner: string
  /** Aborts when the caller no longer waits for the answer. Created on first use. */
  readonly signal: AbortSignal
  /** Nothing may come of it. */
  readonly dryRun: boolean
  /** Tells the caller something besides the answer. */
  readonly warn: (text: string) => void
  /** Puts something on record about the request. */
  readonly annotate?: AnnotateAudit | undefined
}

export interface ReviewDependencies {
  readonly authenticator: Authenticator
  readonly authorizer: Authorizer
  readonly clock: Clock
  readonly issueToken: TokenIssuer
  readonly findObject: FindObject
  /** The names under which this server takes tokens. */
  readonly serverAudiences: readonly string[]
}
