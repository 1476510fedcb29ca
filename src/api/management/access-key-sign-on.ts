import type { Schema } from '../schema.ts'
import { anyObject, boolean, object, string, strings, time } from '../schema-builder.ts'

/** Where a key from single sign-on keeps its data. Written only by the platform. */

export const identity: Schema = object(
  'Who signed on, if the key was made by single sign-on. Written by the platform.',
  {
    userId: string('Subject of the user at the identity provider.'),
    username: string('Name of the user at the identity provider.'),
    preferredUsername: string('Name that the user likes to be called by.'),
    email: string('Mail address of the user.'),
    emailVerified: boolean('Whether the identity provider has verified the mail address.'),
    extraClaims: anyObject('Further claims, as far as the platform is configured to take them over.'),
    groups: strings('Groups of the user at the identity provider.'),
    connector: string('Connector through which the user signed on.'),
    connectorData: string('What the connector needs to remember. It never leaves the platform.'),
    identityRefresh: time('When this was last brought up to date with the identity provider.'),
  },
)

export const oidcProvider: Schema = object(
  'The sign-on that this key is the refresh token of, when the platform itself is the identity provider. Written by the platform.',
  {
    clientId: string('Client that asked for the sign-on.'),
    nonce: string('Value that ties the token to the request of the client.'),
    redirectUri: string('Address to which the client was sent back.'),
    scopes: string('Scopes that the client asked for.'),
  },
)

export const oidcLogin: Schema = object(
  'Deprecated: use identity. Tokens of the identity provider. They never leave the platform.',
  {
    idToken: string('Token that says who the user is.'),
    accessToken: string('Token that opens the API of the identity provider.'),
    refreshToken: string('Token with which new ones are fetched.'),
    lastRefresh: time('When the tokens were last fetched.'),
  },
)
