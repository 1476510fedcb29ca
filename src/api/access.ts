import type { AccessKeyScope } from './types/management.ts'

/** Who sends a request. Groups are complete: they include `system:authenticated` or `system:unauthenticated`. */
export interface UserInfo {
  readonly name: string
  readonly uid?: string
  readonly groups: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
  /**
   * The access key of the request. It stays when the caller impersonates another user, and limits that user's rights to
   * those of the key. Never shown.
   */
  readonly credential?: Credential
  /** Set for requests to a virtual cluster: the service account inside it that the user acts as. */
  readonly account?: AccountInside
}

export interface AccountInside {
  readonly namespace: string
  readonly name: string
}

/** What is known about a valid access key. A session is a key too. */
export interface Credential {
  readonly keyName: string
  readonly keyUid: string
  readonly keyId: string
  /** Absent: everything that the owner may do. */
  readonly scope?: KeyScope
  /** For a session: the access key with which it was started. */
  readonly startedWith?: { readonly keyName: string; readonly keyUid: string }
  /** Whether the key has become void, or has other rights, since the request was authenticated. */
  readonly isRevoked: boolean
  /** Aborts when the key is no longer valid, so that open connections can be closed. */
  readonly revoked: AbortSignal
}

/** A compiled scope: tells whether a request lies within it, and by which entry. */
export interface KeyScope {
  /** The scope as written. */
  readonly source: AccessKeyScope
  grant(attributes: Attributes): ScopeVerdict
}

export type ScopeVerdict =
  /** `entry` is the path of the entry that granted it, such as `spec.scope.projects[0]`. */
  { readonly granted: true; readonly entry: string } | { readonly granted: false; readonly reason: string }

/**
 * Where a request goes: to the platform's own API, or through it to a cluster, a space of a project, or a virtual
 * cluster of a project. The other attributes say what is requested there.
 */
export type RequestTarget =
  | { readonly kind: 'management' }
  | { readonly kind: 'cluster'; readonly cluster: string }
  | { readonly kind: 'space'; readonly project: string; readonly space: string }
  | { readonly kind: 'virtual-cluster'; readonly project: string; readonly virtualCluster: string }

/** What is requested, in the terms of RBAC. */
export type Attributes = ResourceAttributes | PathAttributes

export interface ResourceAttributes {
  readonly user: UserInfo
  readonly verb: string
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  /** Empty for cluster-scoped requests and for all namespaces. */
  readonly namespace: string
  /** Empty for collections. */
  readonly name: string
  /** For a list or a watch with a field selector. */
  readonly fieldSelector?: string
  /** Absent: the API itself that receives the request. */
  readonly target?: RequestTarget
}

export interface PathAttributes {
  readonly user: UserInfo
  readonly verb: string
  readonly path: string
  readonly target?: RequestTarget
}

export type Decision =
  /** `isPartial`: the response omits what the user may not see. It does not grant access to the whole. */
  | { readonly verdict: 'allow'; readonly reason: string; readonly isPartial?: true }
  /** Final: later authorizers are not called. `layer`: which limit of an access key refused. */
  | { readonly verdict: 'deny'; readonly reason: string; readonly layer?: 'scope' | 'role' }
  | { readonly verdict: 'no-opinion'; readonly reason: string }

export const anonymousUser: UserInfo = { name: 'system:anonymous', groups: ['system:unauthenticated'] }
