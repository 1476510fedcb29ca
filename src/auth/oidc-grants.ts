import type { UserInfo } from '../api/access.ts'

/** A user of the platform, as shown to applications. */
export interface OidcUser {
  readonly name: string
  readonly uid: string
  readonly displayName: string
  readonly email: string
  readonly teams: readonly string[]
}

/** An application. One that is created again under the same name is a different one. */
export interface OidcApplication {
  readonly id: string
  readonly uid: string
}

/** The access that a user granted to an application. */
export interface OidcGrant {
  readonly clientId: string
  readonly clientUid: string
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly nonce: string
  /** Name and uid of the User. */
  readonly user: string
  readonly userUid: string
}

/** A user with a session in a browser. */
export interface BrowserSession {
  readonly user: OidcUser
  /** Uid of the session's key. */
  readonly keyUid: string
  readonly startedAtMs: number
}

export interface RefreshedGrant {
  readonly grant: OidcGrant
  /** Replaces the token that was used. */
  readonly token: string
  readonly sid: string
}

/** Sign-ins of users to applications. */
export interface OidcGrants {
  /**
   * Await this before the other methods: afterward, changes by any replica are known. Refuses with a 503 while the
   * store cannot be reached and nothing can be confirmed.
   */
  caughtUp(): Promise<void>
  /** Undefined unless the caller is a user in a browser whose session has no scope. */
  sessionOf(user: UserInfo): BrowserSession | undefined
  /** Undefined: the user was deleted, replaced by another of the same name, or locked. */
  userOf(name: string, uid: string): OidcUser | undefined
  /** Whether the session in which a user granted the access is still open. */
  isOpen(sessionUid: string): boolean
  /** Issues a refresh token. Undefined if the session that the grant came from has ended. */
  issue(grant: OidcGrant, family: string, sessionUid: string, ttlSeconds: number): Promise<string | undefined>
  /** Uses a refresh token, which is valid once. If it was used before, its whole family ends. */
  use(token: string, client: OidcApplication): Promise<RefreshedGrant | undefined>
  /** The grant of a valid refresh token. */
  find(
    token: string,
    client: OidcApplication,
  ): { readonly grant: OidcGrant; readonly endMs: number | undefined } | undefined
  /** Whether the sign-in has a valid refresh token of the application. */
  isHeld(sid: string, client: OidcApplication): boolean
  /** Ends everything that came from one code. */
  endFamily(family: string): Promise<void>
  /**
   * The same by a refresh token, even a used one: if it was stolen from the application, the thief has the next one.
   */
  revoke(token: string, client: OidcApplication): Promise<void>
  /** The same by the `sid` in ID tokens. */
  endSession(sid: string, client: OidcApplication): Promise<void>
}
