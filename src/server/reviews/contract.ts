import type { UserInfo } from '../../api/access.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Schema } from '../../api/schema.ts'
import type { Authenticator, Authorizer } from '../../auth/contract.ts'
import type { TokenIssuer } from '../../auth/service-account-issuer.ts'
import type { FindObject } from '../../auth/service-account-tokens.ts'
import type { Clock } from '../../base/clock.ts'
import type { AnnotateAudit } from '../../registry/contract.ts'

/**
 * A question that is asked by creating or reading an object and answered at once; nothing is stored. Described like a
 * kind, so that discovery, OpenAPI and decoding need no special case.
 */
export interface ReviewResource {
  readonly group: string
  readonly version: string
  readonly kind: string
  /** Further versions that a body may state, whichever is served. */
  readonly olderVersions?: readonly string[]
  /** The path segment: the resource, or the subresource of `parent`. */
  readonly plural: string
  readonly singular: string
  readonly namespaced: boolean
  /** The resource of the core group that this is a subresource of. */
  readonly parent?: string
  /** The parent belongs to the review's own group instead. */
  readonly hasOwnParent?: boolean
  /** Asked by reading it, without a body. */
  readonly isRead?: boolean
  /** Whether the answer has managedFields, as after a write. */
  readonly isTracked?: boolean
  /** Applied to the question before managedFields are added. */
  readonly defaults?: (input: KubeObject) => KubeObject
  /** The schema of the whole object. */
  readonly schema: Schema
  /** Absent: accepted and answered only as JSON and YAML. */
  readonly protobufMessage?: string
  /** `input` was checked against the schema. Throws ApiError for a refusal. */
  readonly review: (input: KubeObject, context: ReviewContext) => KubeObject | Promise<KubeObject>
}

export function reviewVerb({ isRead }: Pick<ReviewResource, 'isRead'>): 'get' | 'create' {
  return isRead === true ? 'get' : 'create'
}

/** Where the question was asked, and by whom. */
export interface ReviewContext {
  /** The acting user, after impersonation. */
  readonly user: UserInfo
  /** The namespace in the path; empty if it has none. */
  readonly namespace: string
  /** The name of the parent object, for subresources. */
  readonly name: string
  /** The owner whose budget expensive work counts against. */
  readonly owner: string
  /** Aborts when the caller no longer waits for the answer. Created on first use. */
  readonly signal: AbortSignal
  /** Whether the question must not have any effect. */
  readonly dryRun: boolean
  /** Adds a warning to the answer. */
  readonly warn: (text: string) => void
  /** Adds an audit annotation to the request. */
  readonly annotate?: AnnotateAudit | undefined
}

export interface ReviewDependencies {
  readonly authenticator: Authenticator
  readonly authorizer: Authorizer
  readonly clock: Clock
  readonly issueToken: TokenIssuer
  readonly findObject: FindObject
  /** The audiences of tokens that this server accepts. */
  readonly serverAudiences: readonly string[]
}
