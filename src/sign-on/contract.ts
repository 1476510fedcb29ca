import type { KeepConnectorData, SignedOn } from '../auth/signed-on.ts'
import type { Query } from '../server/query.ts'

/** What a connector says of a user; the rest of `SignedOn` is the same for all of them. */
export type ProviderIdentity = Omit<SignedOn, 'connector'>

/** One identity provider. Another protocol is another implementation of one of these. */
export type IdentityConnector = RedirectConnector | PasswordConnector

/** Users prove who they are on pages of the provider. */
export interface RedirectConnector extends AnyConnector {
  readonly form: 'redirect'
  /** How browsers come back: with a query, or with a form that the page of the provider sends. */
  readonly answersBy: 'query' | 'form'
  /** Where the browser goes to sign in, and what has to be there when it comes back. */
  begin(redirectUri: string, signal: AbortSignal): Promise<BegunSignOn>
  /** Rejects with `SignOnFailure` unless the answer is the provider's, to this very question. */
  finish(answer: ProviderAnswer, signal: AbortSignal): Promise<ProviderIdentity>
  /** Who has signed out at the provider, by a token that it sent. Rejects with `SignOnFailure`. Absent: it tells of none. */
  loggedOut?(token: string): Promise<ProviderLogout>
  /** What the provider has to be told of the platform, as XML. Absent: there is no such document. */
  metadata?(redirectUri: string): string
}

/** Users type a name and a password on a page of the platform, which asks the provider whether they are right. */
export interface PasswordConnector extends AnyConnector {
  readonly form: 'password'
  /** Rejects with `SignOnFailure`: `wrong-password` whatever it is that is wrong with them. */
  check(credentials: Credentials, signal: AbortSignal): Promise<ProviderIdentity>
}

export interface Credentials {
  readonly username: string
  readonly password: string
}

interface AnyConnector {
  /**
   * What the provider says of a user now, by what it gave before, which may be good for one use only: what it gives in exchange
   * goes to `keep` first, whatever becomes of the rest. Rejects with `SignOnFailure`: `unavailable` if it cannot be asked, else
   * the user is not let in any more.
   */
  refresh(known: ProviderIdentity, remembered: Remembered): Promise<ProviderIdentity>
  /** Tries what can be tried without a user; throws at what does not work. Yields what does, in words. */
  test(signal: AbortSignal): AsyncIterable<string>
  close(): Promise<void>
}

export interface Remembered {
  readonly connectorData: string
  readonly keep: KeepConnectorData
}

/** A sign-out at the provider. */
export interface ProviderLogout {
  readonly userId: string
  /** What the provider calls the session that has ended. Absent: all of the user. */
  readonly providerSession?: string
  /** For remembering that it was taken, until then. */
  readonly id: string
  readonly endMs: number
}

export interface BegunSignOn {
  readonly url: URL
  readonly expected: ExpectedAnswer
}

/** Known to this server and to the browser's sealed cookie alone. */
export interface ExpectedAnswer {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  readonly redirectUri: string
}

export interface ProviderAnswer {
  /** The redirect URI with the query that the browser came back with. */
  readonly url: URL
  /** What the browser came back with, where that is a form. */
  readonly form?: Query
  /** From where it came. */
  readonly network: string
  readonly expected: ExpectedAnswer
}
