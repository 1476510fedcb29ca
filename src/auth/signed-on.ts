import type { JsonObject } from '../api/object.ts'

/** What an identity provider reported about a user who just signed in. */
export interface SignedOn {
  /** Name of the Connector. `userId` identifies a user only together with it. */
  readonly connector: string
  readonly userId: string
  readonly username: string
  readonly preferredUsername?: string
  readonly email?: string
  readonly emailVerified: boolean
  readonly groups: readonly string[]
  readonly extraClaims: JsonObject
  /** Data that the connector must remember, such as a refresh token. Never shown. */
  readonly connectorData?: string
  /** The provider's id of the session. Never shown. */
  readonly providerSession?: string
  /** When the user must sign in at the provider again. Never shown: sessions and keys from the sign-in end then. */
  readonly latestEndMs?: number
}

/** A user signed out at the provider. */
export interface SignOnLogout {
  readonly connector: string
  readonly userId: string
  /** Absent: all sessions there. */
  readonly providerSession?: string
}

/** What a provider reports about a user some time after the sign-in. */
export type RefreshedIdentity =
  /** With current data. */
  | { readonly outcome: 'confirmed'; readonly signedOn: SignedOn }
  /**
   * The provider or the connector no longer accepts the user. `hasLeft`: the user no longer belongs there, which a void
   * credential alone does not show.
   */
  | { readonly outcome: 'ended'; readonly reason: string; readonly hasLeft: boolean }
  /** Nothing is known about this user. */
  | { readonly outcome: 'unknown'; readonly reason: string }
  /** The provider cannot be reached, for any user. */
  | { readonly outcome: 'away'; readonly reason: string }

/** Stores the data that the connector must remember from now on, before anything else is done with the answer. */
export type KeepConnectorData = (connectorData: string) => Promise<void>

/** It is never aborted: the provider's new credentials would be lost. */
export type RefreshIdentity = (signedOn: SignedOn, keep: KeepConnectorData) => Promise<RefreshedIdentity>
