/** Who is asking. Groups are complete: `system:authenticated` or `system:unauthenticated` is among them. */
export interface UserInfo {
  readonly name: string
  readonly uid?: string
  readonly groups: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

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
}

export interface PathAttributes {
  readonly user: UserInfo
  readonly verb: string
  readonly path: string
}

export type Decision =
  | { readonly verdict: 'allow'; readonly reason: string }
  /** Nobody after this one is asked. */
  | { readonly verdict: 'deny'; readonly reason: string }
  | { readonly verdict: 'no-opinion'; readonly reason: string }

export const anonymousUser: UserInfo = { name: 'system:anonymous', groups: ['system:unauthenticated'] }
