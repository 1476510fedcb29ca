import type { KeepConnectorData, SignedOn } from '../auth/signed-on.ts'
import type { Query } from '../server/request/query.ts'

/** A connector's result for a user; the rest of `SignedOn` is the same for all connectors. */
export type ProviderIdentity = Omit<SignedOn, 'connector'>

/** One identity provider. Each protocol implements one of these. */
export type IdentityConnector = RedirectConnector | PasswordConnector

/** Users prove who they are on pages of the provider. */
export interface RedirectConnector extends AnyConnector {
  readonly form: 'redirect'
  /** How browsers return: with a query, or with a form that the provider's page submits. */
  readonly answersBy: 'query' | 'form'
  /** Where the browser goes to sign in, and what must match when it returns. */
  begin(redirectUri: string, signal: AbortSignal): Promise<BegunSignOn>
  /** Rejects with `SignOnFailure` unless the provider has answered exactly this request. */
  finish(answer: ProviderAnswer, signal: AbortSignal): Promise<ProviderIdentity>
  /**
   * Who has signed out at the provider, according to its token. Rejects with `SignOnFailure`. Absent: the provider does
   * not report sign-outs.
   */
  loggedOut?(token: string): Promise<ProviderLogout>
  /** The configuration of the platform for the provider, as XML. Absent: there is no such document. */
  metadata?(redirectUri: string): string
}

/** Users enter a name and a password on a page of the platform, which checks them with the provider. */
export interface PasswordConnector extends AnyConnector {
  readonly form: 'password'
  /** Rejects with `SignOnFailure`: `wrong-password` whatever is wrong with them. */
  check(credentials: Credentials, signal: AbortSignal): Promise<ProviderIdentity>
}

export interface Credentials {
  readonly username: string
  readonly password: string
}

interface AnyConnector {
  /**
   * What the provider now says about a user, using data that it issued before, which may be valid for one use only: its
   * replacement goes to `keep` first, whatever happens to the rest. Rejects with `SignOnFailure`: `unavailable` if the
   * provider cannot be asked; otherwise the user is no longer admitted.
   */
  refresh(known: ProviderIdentity, remembered: Remembered): Promise<ProviderIdentity>
  /** Tries what can be tried without a user. Yields what works, in words, and throws at what does not. */
  test(signal: AbortSignal): AsyncIterable<string | ConnectorWarning>
  close(): Promise<void>
}

/** Works, but an administrator may want it otherwise. */
export interface ConnectorWarning {
  readonly warning: string
}

export interface Remembered {
  readonly connectorData: string
  readonly keep: KeepConnectorData
}

/** A sign-out at the provider. */
export interface ProviderLogout {
  readonly userId: string
  /** The provider's name for the session that has ended. Absent: all sessions of the user. */
  readonly providerSession?: string
  /** Identifies the token, which is remembered as used until `endMs`. */
  readonly id: string
  readonly endMs: number
}

export interface BegunSignOn {
  readonly url: URL
  readonly expected: ExpectedAnswer
}

/** Known only to this server and in the browser's sealed cookie. */
export interface ExpectedAnswer {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  readonly redirectUri: string
}

export interface ProviderAnswer {
  /** The redirect URI with the query with which the browser returned. */
  readonly url: URL
  /** The form with which the browser returned, if it used one. */
  readonly form?: Query
  /** The network of the browser. */
  readonly network: string
  readonly expected: ExpectedAnswer
}
