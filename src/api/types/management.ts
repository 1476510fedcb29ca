import type { KubeObject } from '../object.ts'
import type { Condition } from './meta-v1.ts'

/** Made by `npm run generate` from the kinds in src/api/management. */

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
  readonly identity?: {
    readonly userId?: string
    readonly username?: string
    readonly preferredUsername?: string
    readonly email?: string
    readonly emailVerified?: boolean
    readonly extraClaims?: Readonly<Record<string, unknown>>
    readonly groups?: readonly string[]
    readonly connector?: string
    readonly connectorData?: string
    readonly identityRefresh?: string
  }
  readonly oidcProvider?: {
    readonly clientId?: string
    readonly nonce?: string
    readonly redirectUri?: string
    readonly scopes?: string
  }
  readonly managedSecrets?: readonly SecretPlace[]
  readonly parent?: string
  readonly oidcLogin?: {
    readonly idToken?: string
    readonly accessToken?: string
    readonly refreshToken?: string
    readonly lastRefresh?: string
  }
}

export interface AccessKeyScope {
  readonly roles?: readonly ScopeRole[]
  readonly projects?: readonly {
    readonly project?: string
  }[]
  readonly spaces?: readonly {
    readonly project?: string
    readonly space?: string
  }[]
  readonly virtualClusters?: readonly {
    readonly project?: string
    readonly virtualCluster?: string
  }[]
  readonly clusters?: readonly {
    readonly cluster?: string
  }[]
  readonly rules?: readonly ScopeRule[]
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
  readonly virtualClusters?: readonly {
    readonly name?: string
    readonly namespace?: string
  }[]
}

export interface ScopeRuleResources {
  readonly group?: string
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
}

export interface SecretPlace {
  readonly cluster?: string
  readonly namespace?: string
  readonly name?: string
  readonly entry?: string
}

export interface AccessKeyStatus {
  readonly lastActivity?: string
  readonly phase?: string
  readonly expiresAt?: string
  readonly keyId?: string
  readonly lastUsedFrom?: string
  readonly managedSecrets?: readonly ManagedSecret[]
  readonly rotation?: {
    readonly startedAt?: string
    readonly previousKeyId?: string
    readonly previousValidUntil?: string
    readonly previousLastActivity?: string
    readonly previousUsers?: readonly {
      readonly from?: string
      readonly userAgent?: string
      readonly lastActivity?: string
    }[]
  }
  readonly session?: SessionStatus
}

export interface ManagedSecret {
  readonly cluster?: string
  readonly namespace?: string
  readonly name?: string
  readonly entry?: string
  readonly uid?: string
  readonly addedBy?: string
  readonly addedAt?: string
}

export interface SessionStatus {
  readonly startedWith?: string
  readonly startedFrom?: string
  readonly userAgent?: string
  readonly latestEnd?: string
}

export interface Project extends KubeObject {
  readonly spec?: ProjectSpec
  readonly status?: ProjectStatus
}

export interface ProjectSpec {
  readonly displayName?: string
  readonly description?: string
  readonly owner?: {
    readonly user?: string
    readonly team?: string
  }
  readonly members?: readonly Member[]
  readonly access?: readonly Grant[]
  readonly allowedClusters?: readonly string[]
  readonly quotas?: {
    readonly project?: Readonly<Record<string, string>>
    readonly user?: Readonly<Record<string, string>>
  }
}

export interface Member {
  readonly kind: 'User' | 'Team'
  readonly name: string
  readonly role?: 'admin' | 'user' | 'viewer'
}

export interface Grant {
  readonly name?: string
  readonly verbs?: readonly string[]
  readonly clusterRole?: string
  readonly users?: readonly string[]
  readonly teams?: readonly string[]
}

export interface ProjectStatus {
  readonly phase?: string
  readonly reason?: string
  readonly message?: string
  readonly observedGeneration?: number
  readonly conditions?: readonly Condition[]
  readonly namespace?: string
  readonly quotas?: {
    readonly project?: Readonly<Record<string, string>>
  }
}

export interface SpaceInstance extends KubeObject {
  readonly spec?: SpaceInstanceSpec
  readonly status?: SpaceInstanceStatus
}

export interface SpaceInstanceSpec {
  readonly displayName?: string
  readonly description?: string
  readonly owner?: {
    readonly user?: string
    readonly team?: string
  }
  readonly clusterRef?: {
    readonly cluster?: string
    readonly namespace?: string
  }
  readonly external?: boolean
  readonly access?: readonly Grant[]
}

export interface SpaceInstanceStatus {
  readonly phase?: string
  readonly reason?: string
  readonly message?: string
  readonly observedGeneration?: number
  readonly conditions?: readonly Condition[]
}

export interface VirtualClusterInstance extends KubeObject {
  readonly spec?: VirtualClusterInstanceSpec
  readonly status?: VirtualClusterInstanceStatus
}

export interface VirtualClusterInstanceSpec {
  readonly displayName?: string
  readonly description?: string
  readonly owner?: {
    readonly user?: string
    readonly team?: string
  }
  readonly clusterRef?: {
    readonly cluster?: string
    readonly namespace?: string
    readonly virtualCluster?: string
  }
  readonly external?: boolean
  readonly config?: string
  readonly access?: readonly Grant[]
}

export interface VirtualClusterInstanceStatus {
  readonly phase?: string
  readonly reason?: string
  readonly message?: string
  readonly observedGeneration?: number
  readonly conditions?: readonly Condition[]
  readonly online?: boolean
  readonly lastHeartbeat?: string
  readonly serviceUid?: string
  readonly link?: {
    readonly replica?: string
    readonly accessKey?: string
    readonly process?: string
    readonly leaving?: boolean
  }
  readonly version?: {
    readonly tenant?: string
    readonly kubernetes?: string
  }
}

export interface Cluster extends KubeObject {
  readonly spec?: ClusterSpec
  readonly status?: ClusterStatus
}

export interface ClusterSpec {
  readonly displayName?: string
  readonly description?: string
  readonly owner?: {
    readonly user?: string
    readonly team?: string
  }
  readonly config?: {
    readonly secretName?: string
    readonly secretNamespace?: string
    readonly key?: string
  }
  readonly insecure?: boolean
  readonly access?: readonly Grant[]
}

export interface ClusterStatus {
  readonly phase?: string
  readonly reason?: string
  readonly message?: string
  readonly observedGeneration?: number
  readonly conditions?: readonly Condition[]
  readonly online?: boolean
  readonly lastSeen?: string
  readonly version?: string
}

export interface User extends KubeObject {
  readonly spec?: UserSpec
  readonly status?: UserStatus
}

export interface UserSpec {
  readonly displayName?: string
  readonly description?: string
  readonly username?: string
  readonly email?: string
  readonly subject?: string
  readonly groups?: readonly string[]
  readonly identities?: readonly UserIdentity[]
  readonly disabled?: boolean
}

export interface UserIdentity {
  readonly connector: string
  readonly userId: string
}

export interface UserStatus {
  readonly signOn?: readonly UserSignOn[]
  readonly teams?: readonly string[]
  readonly lastActivity?: string
  readonly conditions?: readonly Condition[]
}

export interface UserSignOn {
  readonly connector: string
  readonly groups?: readonly string[]
  readonly lastSignOn?: string
}

export interface Team extends KubeObject {
  readonly spec?: TeamSpec
  readonly status?: TeamStatus
}

export interface TeamSpec {
  readonly displayName?: string
  readonly description?: string
  readonly username?: string
  readonly owner?: {
    readonly user?: string
    readonly team?: string
  }
  readonly users?: readonly string[]
  readonly groups?: readonly string[]
}

export interface TeamStatus {
  readonly members?: number
  readonly conditions?: readonly Condition[]
}

export interface Connector extends KubeObject {
  readonly spec?: ConnectorSpec
  readonly status?: ConnectorStatus
}

export interface ConnectorSpec {
  readonly displayName?: string
  readonly description?: string
  readonly type?: 'oidc' | 'github' | 'ldap' | 'saml'
  readonly disabled?: boolean
  readonly oidc?: OidcConnector
  readonly github?: GithubConnector
  readonly ldap?: LdapConnector
  readonly saml?: SamlConnector
  readonly groupFilters?: readonly string[]
  readonly allowedGroups?: readonly string[]
  readonly allowedEmailDomains?: readonly string[]
  readonly extraClaims?: readonly string[]
  readonly createTeams?: boolean
  readonly sessionSeconds?: number
  readonly disableUserCreation?: boolean
}

export interface OidcConnector {
  readonly issuer?: string
  readonly clientId?: string
  readonly clientSecretRef?: {
    readonly name?: string
    readonly namespace?: string
    readonly key?: string
  }
  readonly redirectUri?: string
  readonly caBundle?: string
  readonly scopes?: readonly string[]
  readonly graphUrl?: string
  readonly getUserInfo?: boolean
  readonly clockSkewSeconds?: number
  readonly claims?: {
    readonly username?: string
    readonly preferredUsername?: string
    readonly email?: string
    readonly emailVerified?: string
    readonly groups?: string
  }
  readonly usernamePrefix?: string
  readonly groupsPrefix?: string
}

export interface GithubConnector {
  readonly url?: string
  readonly caBundle?: string
  readonly clientId?: string
  readonly clientSecretRef?: {
    readonly name?: string
    readonly namespace?: string
    readonly key?: string
  }
  readonly redirectUri?: string
  readonly organizations?: readonly string[]
  readonly usernamePrefix?: string
  readonly groupsPrefix?: string
}

export interface LdapConnector {
  readonly url?: string
  readonly caBundle?: string
  readonly preset?: 'openLdap' | 'activeDirectory'
  readonly bindDN?: string
  readonly bindPasswordRef?: {
    readonly name?: string
    readonly namespace?: string
    readonly key?: string
  }
  readonly users?: {
    readonly baseDN?: string
    readonly filter?: string
    readonly loginAttributes?: readonly string[]
    readonly idAttribute?: string
    readonly usernameAttribute?: string
    readonly displayNameAttribute?: string
    readonly emailAttribute?: string
    readonly emailIsVerified?: boolean
  }
  readonly groups?: {
    readonly method?: 'search' | 'memberOf' | 'inChain'
    readonly baseDN?: string
    readonly filter?: string
    readonly nameAttribute?: string
    readonly memberAttribute?: string
    readonly userAttribute?: string
    readonly depth?: number
  }
  readonly usernamePrefix?: string
  readonly groupsPrefix?: string
}

export interface SamlConnector {
  readonly issuer?: string
  readonly ssoUrl?: string
  readonly certificates?: readonly string[]
  readonly entityId?: string
  readonly redirectUri?: string
  readonly nameIdFormat?: 'persistent' | 'emailAddress' | 'unspecified'
  readonly attributes?: {
    readonly username?: string
    readonly preferredUsername?: string
    readonly email?: string
    readonly groups?: string
  }
  readonly emailVerified?: boolean
  readonly clockSkewSeconds?: number
  readonly allowSha1?: boolean
  readonly usernamePrefix?: string
  readonly groupsPrefix?: string
}

export interface ConnectorStatus {
  readonly conditions?: readonly Condition[]
}

export interface TrustedIssuer extends KubeObject {
  readonly spec?: TrustedIssuerSpec
  readonly status?: TrustedIssuerStatus
}

export interface TrustedIssuerSpec {
  readonly displayName?: string
  readonly description?: string
  readonly issuer?: string
  readonly audience?: string
  readonly caBundle?: string
  readonly keys?: string
  readonly disabled?: boolean
  readonly singleUse?: boolean
  readonly rules?: readonly ExchangeRule[]
}

export interface ExchangeRule {
  readonly claims?: Readonly<Record<string, string>>
  readonly user?: string
  readonly team?: string
  readonly scope?: AccessKeyScope
  readonly ttlSeconds?: number
}

export interface TrustedIssuerStatus {
  readonly conditions?: readonly Condition[]
}

export interface OIDCClient extends KubeObject {
  readonly spec?: OIDCClientSpec
  readonly status?: OIDCClientStatus
}

export interface OIDCClientSpec {
  readonly displayName?: string
  readonly description?: string
  readonly clientSecretRef?: {
    readonly name?: string
    readonly namespace?: string
    readonly key?: string
  }
  readonly redirectUris?: readonly string[]
  readonly postLogoutRedirectUris?: readonly string[]
  readonly scopes?: readonly string[]
  readonly consent?: string
  readonly allowWithoutPkce?: boolean
  readonly allowedTeams?: readonly string[]
  readonly accessTokenSeconds?: number
  readonly refreshTokenSeconds?: number
  readonly disabled?: boolean
}

export interface OIDCClientStatus {
  readonly conditions?: readonly Condition[]
}
