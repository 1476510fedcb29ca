import type { Attributes, Decision, UserInfo } from '../api/access.ts'

export interface Authorizer {
  authorize(attributes: Attributes): Decision | Promise<Decision>
  /** What the user may do in a namespace, for SelfSubjectRulesReview. */
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
  /** `audiences`: those of the asked-for ones that the token is meant for; absent for tokens that name none. */
  | {
      readonly outcome: 'authenticated'
      readonly user: UserInfo
      readonly audiences?: readonly string[]
      /** Something that whoever presents the token should know. */
      readonly warning?: string
    }
  /** Not a credential this authenticator knows; the next one is asked. */
  | { readonly outcome: 'unknown' }
  /**
   * Known and refused; nobody else is asked. `message` is for the caller. `retryAfterSeconds`: too many have failed from
   * where this one came, and the answer is "too many requests" instead of "unauthorized".
   */
  | {
      readonly outcome: 'refused'
      readonly message: string
      readonly causeReason?: string
      readonly retryAfterSeconds?: number
      /** The access key whose secret matched, for the record. */
      readonly key?: RefusedKey
    }
  /** It may be good, but nobody can tell at the moment; nobody else is asked. */
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

/** Where a token was presented. Absent: somebody asks about a token that is not being used. */
export interface TokenSource {
  readonly address: string
  readonly userAgent: string
}

export interface Authenticator {
  /** Without `audiences` a token that names its own has to be meant for this server. */
  authenticateToken(
    token: string,
    audiences?: readonly string[],
    source?: TokenSource,
  ): AuthenticationResult | Promise<AuthenticationResult>
}
