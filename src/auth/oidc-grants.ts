import type { UserInfo } from '../api/access.ts'

/** A user of the platform as applications are told of them. */
export interface OidcUser {
  readonly name: string
  readonly uid: string
  readonly displayName: string
  readonly email: string
  readonly teams: readonly string[]
}

/** An application. One that is made anew under the same name is another one. */
export interface OidcApplication {
  readonly id: string
  readonly uid: string
}

/** What a user has let an application have. */
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

/** A user in a browser. */
export interface BrowserSession {
  readonly user: OidcUser
  /** Name of its key. */
  readonly keyName: string
  readonly startedAtMs: number
}

export interface RefreshedGrant {
  readonly grant: OidcGrant
  /** Takes the place of the one that was shown. */
  readonly token: string
  readonly sid: string
}

/** What the platform keeps of applications that users have signed in to. */
export interface OidcGrants {
  /**
   * To be awaited before the others are asked: what any replica has changed until then is known. Refuses with a 503 while the
   * store cannot be reached, when nothing can be confirmed.
   */
  caughtUp(): Promise<void>
  /** Undefined unless the caller is a user in a browser whose session has no scope. */
  sessionOf(user: UserInfo): BrowserSession | undefined
  /** Undefined: gone, another one of that name, or locked. */
  userOf(name: string, uid: string): OidcUser | undefined
  /** Whether the session is still open in which a user let an application in. */
  isOpen(sessionKey: string): boolean
  /** A refresh token. Undefined where there can be none: the session that the grant came of is over. */
  issue(grant: OidcGrant, family: string, sessionKey: string, ttlSeconds: number): Promise<string | undefined>
  /** Uses a refresh token up. One that was used before ends all that came of it. */
  use(token: string, client: OidcApplication): Promise<RefreshedGrant | undefined>
  /** Of a refresh token that is good. */
  find(
    token: string,
    client: OidcApplication,
  ): { readonly grant: OidcGrant; readonly endMs: number | undefined } | undefined
  /** Whether the sign-in has a refresh token of the application that is good. */
  isHeld(sid: string, client: OidcApplication): boolean
  /** Whatever became of one code. */
  endFamily(family: string): Promise<void>
  /** The same by a refresh token, also one that was used before: who took it from the application has the next. */
  revoke(token: string, client: OidcApplication): Promise<void>
  /** The same by what ID tokens name it. */
  endSession(sid: string, client: OidcApplication): Promise<void>
}
