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
