import type { Schema } from '../schema.ts'
import { anyObject, boolean, object, string, strings, time } from '../schema-builder.ts'

/** Where a key from single sign-on keeps its data. Written only by the platform. */

export const identity: Schema = object(
  'The user at the identity provider, if the key was created by single sign-on. Written by the platform.',
  {
    userId: string('Subject of the user at the identity provider.'),
    username: string('Name of the user at the identity provider.'),
    preferredUsername: string('Preferred name of the user.'),
    email: string('Email address of the user.'),
    emailVerified: boolean('Whether the identity provider has verified the email address.'),
    extraClaims: anyObject('Additional claims that the platform is configured to keep.'),
    groups: strings('Groups of the user at the identity provider.'),
    connector: string('Connector through which the user signed on.'),
    connectorData: string('Internal data of the connector. It never leaves the platform.'),
    identityRefresh: time('Time at which these values were last refreshed from the identity provider.'),
  },
)

export const oidcProvider: Schema = object(
  'The sign-on that this key is a refresh token for, if the platform is the identity provider. Written by the platform.',
  {
    clientId: string('Client that requested the sign-on.'),
    nonce: string('Value that binds the token to the request of the client.'),
    redirectUri: string('Address that the user was redirected to.'),
    scopes: string('Scopes that the client requested.'),
  },
)

export const oidcLogin: Schema = object(
  'Deprecated: use identity. Tokens of the identity provider. They never leave the platform.',
  {
    idToken: string('ID token of the user.'),
    accessToken: string('Access token for the API of the identity provider.'),
    refreshToken: string('Refresh token, with which new tokens are requested.'),
    lastRefresh: time('Time at which the tokens were last refreshed.'),
  },
)
