import type { AccessKeyScope } from './types/management.ts'

/** Who is asking. Groups are complete: `system:authenticated` or `system:unauthenticated` is among them. */
export interface UserInfo {
  readonly name: string
  readonly uid?: string
  readonly groups: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
  /**
   * The access key that the request came with. It stays when the caller impersonates another user, and limits what that
   * user may do to what the key may do. Never shown.
   */
  readonly credential?: Credential
}

/** What is known of an access key once it has been found valid. A session is a key too. */
export interface Credential {
  readonly keyName: string
  readonly keyUid: string
  readonly keyId: string
  /** Absent: all that the owner may do. */
  readonly scope?: KeyScope
  /** Of a session: the access key that it was started with. */
  readonly startedWith?: { readonly keyName: string; readonly keyUid: string }
  /** Aborted when the key is no longer good for anything, so that what it opened can be cut. */
  readonly revoked: AbortSignal
}

/** A compiled scope: answers whether one request lies within it, and by which entry. */
export interface KeyScope {
  /** As it was written. */
  readonly source: AccessKeyScope
  grant(attributes: Attributes): ScopeVerdict
}

export type ScopeVerdict =
  /** `entry` is the path of the entry that granted it, such as `spec.scope.projects[0]`. */
  { readonly granted: true; readonly entry: string } | { readonly granted: false; readonly reason: string }

/**
 * Where a request goes: to the platform's own API, or through it to a cluster, a space of a project, or a virtual cluster
 * of a project. What is asked there is in the rest of the attributes.
 */
export type RequestTarget =
  | { readonly kind: 'management' }
  | { readonly kind: 'cluster'; readonly cluster: string }
  | { readonly kind: 'space'; readonly project: string; readonly space: string }
  | { readonly kind: 'virtual-cluster'; readonly project: string; readonly virtualCluster: string }

/** What is asked, in the words of RBAC. */
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
  /** Of a list or a watch that has one. */
  readonly fieldSelector?: string
  /** Absent means the API that is asked itself. */
  readonly target?: RequestTarget
}

export interface PathAttributes {
  readonly user: UserInfo
  readonly verb: string
  readonly path: string
  readonly target?: RequestTarget
}

export type Decision =
  /** `isPartial`: the answer leaves out what the user may not get. Not a right to what it is asked about as a whole. */
  | { readonly verdict: 'allow'; readonly reason: string; readonly isPartial?: true }
  /** No later authorizer is asked. `layer`: which part of an access key's limits refused. */
  | { readonly verdict: 'deny'; readonly reason: string; readonly layer?: 'scope' | 'role' }
  | { readonly verdict: 'no-opinion'; readonly reason: string }

export const anonymousUser: UserInfo = { name: 'system:anonymous', groups: ['system:unauthenticated'] }
