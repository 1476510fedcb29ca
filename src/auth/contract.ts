import type { Attributes, Decision, UserInfo } from '../api/access.ts'

export interface Authorizer {
  authorize(attributes: Attributes): Decision | Promise<Decision>
  /** The rights of a user in a namespace, for SelfSubjectRulesReview. */
  rulesFor(user: UserInfo, namespace: string): RuleSet | Promise<RuleSet>
}

export interface ResourceRule {
  readonly verbs: readonly string[]
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames?: readonly string[]
}

export interface PathRule {
  readonly verbs: readonly string[]
  readonly nonResourceURLs: readonly string[]
}

export interface RuleSet {
  readonly resourceRules: readonly ResourceRule[]
  readonly pathRules: readonly PathRule[]
  /** True when the answer may lack rules that are in force. */
  readonly incomplete: boolean
  readonly evaluationError?: string
}

export type AuthenticationResult =
  /** `audiences`: the requested audiences that the token is meant for; absent for tokens that name none. */
  | {
      readonly outcome: 'authenticated'
      readonly user: UserInfo
      readonly audiences?: readonly string[]
      /** A warning for the caller that presents the token. */
      readonly warning?: string
    }
  /** Not a credential that this authenticator knows; the next one is asked. */
  | { readonly outcome: 'unknown' }
  /**
   * Known and refused; no other authenticator is asked. `message` is for the caller. `retryAfterSeconds`: too many
   * attempts from the same address have failed, and the answer is "too many requests" instead of "unauthorized".
   */
  | {
      readonly outcome: 'refused'
      readonly message: string
      readonly causeReason?: string
      readonly retryAfterSeconds?: number
      /** The access key whose secret matched, for the audit log. */
      readonly key?: RefusedKey
    }
  /** The token may be valid, but this cannot be checked now; no other authenticator is asked. */
  | {
      readonly outcome: 'unavailable'
      readonly message: string
      readonly causeReason: string
      readonly retryAfterSeconds: number
    }

export interface RefusedKey {
  readonly keyName: string
  readonly keyId: string
}

/** Where a token was presented. Absent: the token is only being reviewed, not used. */
export interface TokenSource {
  readonly address: string
  readonly userAgent: string
}

export interface Authenticator {
  /** Without `audiences`, a token that names audiences must be meant for this server. */
  authenticateToken(
    token: string,
    audiences?: readonly string[],
    source?: TokenSource,
  ): AuthenticationResult | Promise<AuthenticationResult>
}
