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
  /** What the provider calls the session there. Never shown. */
  readonly providerSession?: string
  /** When the user has to sign in at the provider again. Never shown: what comes of the sign-in has it as its own end. */
  readonly latestEndMs?: number
}

/** A user has signed out at the provider. */
export interface SignOnLogout {
  readonly connector: string
  readonly userId: string
  /** Absent: of every session there. */
  readonly providerSession?: string
}

/** What a provider says of a user some time after the sign-in. */
export type RefreshedIdentity =
  /** Brought up to date. */
  | { readonly outcome: 'confirmed'; readonly signedOn: SignedOn }
  /**
   * The provider, or the connector, does not let the user in any more. `hasLeft`: the user belongs to nothing there, which a
   * credential that has become void does not say.
   */
  | { readonly outcome: 'ended'; readonly reason: string; readonly hasLeft: boolean }
  /** Nothing is known of this user. */
  | { readonly outcome: 'unknown'; readonly reason: string }
  /** The provider cannot be asked, of no user. */
  | { readonly outcome: 'away'; readonly reason: string }

/** Keeps what the connector has to remember from now on, before anything else is done with the answer. */
export type KeepConnectorData = (connectorData: string) => Promise<void>

/** It is not cut short: what the provider gives in exchange would be lost. */
export type RefreshIdentity = (signedOn: SignedOn, keep: KeepConnectorData) => Promise<RefreshedIdentity>
