import { boolean, integer, object, oneOf, string, strings } from '../schema-builder.ts'
import { groupsPrefix, usernamePrefix } from './connector-fields.ts'

export const nameIdFormats = ['persistent', 'emailAddress', 'unspecified'] as const

export const saml = object(
  'How a SAML 2.0 identity provider is asked.',
  {
    issuer: string(
      'Entity ID of the provider, exactly as it calls itself. It cannot be changed: who a user is depends on it.',
    ),
    ssoUrl: string(
      'Where browsers are sent to sign in: the SingleSignOnService of the provider with the binding HTTP-Redirect.',
    ),
    certificates: strings(
      'Certificates (PEM) of the keys that the provider signs with. While it changes its key, both.',
    ),
    entityId: string(
      'What the platform is called at the provider: assertions for any other audience are refused. Empty: `/auth/saml/<name>` below the address of `redirectUri`, where its metadata is.',
    ),
    redirectUri: string(
      'Address to which the provider sends people back (AssertionConsumerService): `/auth/callback/<name>` of the platform. It may only be left out where `entityId` is set; then it is below the address by which they came.',
    ),
    nameIdFormat: oneOf(
      'How the provider names users. What it names them by must never be given to another one. It cannot be changed. Default: `persistent`.',
      nameIdFormats,
    ),
    attributes: object('Which attributes say what.', {
      username: string('Name of the user. Default: the NameID.'),
      preferredUsername: string('Name that the user likes to be called by. Default: `displayName`.'),
      email: string('Mail address. Default: `email`, else `mail`.'),
      groups: string('Groups. Default: `groups`.'),
    }),
    emailVerified: boolean('When true, mail addresses of this provider count as verified.'),
    clockSkewSeconds: integer('How far the clock of the provider may be off. Default: 300, at most 600.'),
    allowSha1: boolean('When true, signatures with SHA-1 count, which can be forged with effort. Default: false.'),
    usernamePrefix,
    groupsPrefix,
  },
  { typeName: 'SamlConnector' },
)
