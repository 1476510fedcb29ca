import type { JsonObject } from '../api/object.ts'

/** What an identity provider said of a user who has just signed in there. */
export interface SignedOn {
  /** Name of the Connector. Only together with it does `userId` say who the user is. */
  readonly connector: string
  readonly userId: string
  readonly username: string
  readonly preferredUsername?: string
  readonly email?: string
  readonly emailVerified: boolean
  readonly groups: readonly string[]
  readonly extraClaims: JsonObject
  /** What the connector has to remember, such as a refresh token. Never shown. */
  readonly connectorData?: string
}

/** What a provider says of a user some time after the sign-in. */
export type RefreshedIdentity =
  /** Brought up to date, with what the connector has to remember from now on. */
  | { readonly outcome: 'confirmed'; readonly signedOn: SignedOn }
  /** The provider, or the connector, does not let the user in any more. */
  | { readonly outcome: 'ended'; readonly reason: string }
  /** The provider cannot be asked: nothing is known. */
  | { readonly outcome: 'unknown'; readonly reason: string }

export type RefreshIdentity = (signedOn: SignedOn, signal: AbortSignal) => Promise<RefreshedIdentity>
