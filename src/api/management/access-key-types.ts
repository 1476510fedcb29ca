import type { ManagedSecret, SecretPlace } from '../managed-secret.ts'
import type { KubeObject } from '../object.ts'

/** An OwnedAccessKey as decoded: every member has the type that the schema gives it. */
export interface AccessKey extends KubeObject {
  readonly spec?: AccessKeySpec
  readonly status?: AccessKeyStatus
}

export interface AccessKeySpec {
  readonly displayName?: string
  readonly description?: string
  readonly user?: string
  readonly team?: string
  readonly subject?: string
  readonly groups?: readonly string[]
  readonly key?: string
  readonly disabled?: boolean
  readonly ttl?: number
  readonly ttlAfterLastActivity?: boolean
  readonly scope?: AccessKeyScope
  readonly type?: string
  readonly identity?: Readonly<Record<string, unknown>>
  readonly oidcProvider?: Readonly<Record<string, unknown>>
  readonly parent?: string
  readonly managedSecrets?: readonly SecretPlace[]
  readonly oidcLogin?: Readonly<Record<string, unknown>>
}

export interface AccessKeyStatus {
  readonly lastActivity?: string
  readonly phase?: string
  readonly expiresAt?: string
  readonly keyId?: string
  readonly lastUsedFrom?: string
  readonly rotation?: Readonly<Record<string, unknown>>
  readonly managedSecrets?: readonly ManagedSecret[]
  readonly session?: SessionStatus
}

/** What is told of a session. */
export interface SessionStatus {
  /** Name of the access key that it was started with. Absent: a token that the platform was started with. */
  readonly startedWith?: string
  readonly startedFrom?: string
  readonly userAgent?: string
  readonly latestEnd?: string
}

export interface AccessKeyScope {
  readonly roles?: readonly ScopeRole[]
  readonly projects?: readonly { readonly project?: string }[]
  readonly spaces?: readonly { readonly project?: string; readonly space?: string }[]
  readonly virtualClusters?: readonly { readonly project?: string; readonly virtualCluster?: string }[]
  readonly clusters?: readonly { readonly cluster?: string }[]
  /** Deprecated. */
  readonly rules?: readonly ScopeRule[]
  /** Deprecated. */
  readonly allowPlatformCli?: boolean
}

export interface ScopeRole {
  readonly role?: string
  readonly projects?: readonly string[]
  readonly virtualClusters?: readonly string[]
}

export interface ScopeRule {
  readonly verbs?: readonly string[]
  readonly resources?: readonly ScopeRuleResources[]
  readonly namespaces?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
  readonly requestTargets?: readonly string[]
  readonly cluster?: string
  readonly virtualClusters?: readonly { readonly name?: string; readonly namespace?: string }[]
}

export interface ScopeRuleResources {
  readonly group?: string
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
}
