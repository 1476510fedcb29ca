import { boolean, integer, object, oneOf, string, strings } from '../../schema-builder.ts'
import { groupsPrefix, usernamePrefix } from './connector-fields.ts'

const nameIdFormats = ['persistent', 'emailAddress', 'unspecified'] as const

export const saml = object(
  'Settings for a SAML 2.0 identity provider.',
  {
    issuer: string(
      'Entity ID of the provider, exactly as in its metadata. Immutable, because the identity of users depends on it.',
    ),
    ssoUrl: string(
      'Address that browsers are redirected to for signing in: the SingleSignOnService of the provider with the HTTP-Redirect binding.',
    ),
    certificates: strings(
      'Certificates (PEM) of the keys that the provider signs with. List both while the provider rotates its key.',
    ),
    entityId: string(
      'Entity ID of the platform at the provider. Assertions for any other audience are refused. If empty, `/auth/saml/<name>` at the address of `redirectUri`, where the metadata of the platform is served.',
    ),
    redirectUri: string(
      'Address that the provider redirects users to (AssertionConsumerService): `/auth/callback/<name>` of the platform. It can be omitted only if `entityId` is set; it is then at the address that users use for the platform.',
    ),
    nameIdFormat: oneOf(
      'Format in which the provider identifies users. A value must never be reused for another user. Immutable. Default: `persistent`.',
      nameIdFormats,
    ),
    attributes: object('Names of the attributes to read.', {
      username: string('Name of the user. Default: the NameID.'),
      preferredUsername: string('Preferred name of the user. Default: `displayName`.'),
      email: string('Email address. Default: `email`, otherwise `mail`.'),
      groups: string('Groups. Default: `groups`.'),
    }),
    emailVerified: boolean('When true, email addresses from this provider count as verified.'),
    clockSkewSeconds: integer('Allowed deviation of the clock of the provider, in seconds. Default: 300, at most 600.'),
    allowSha1: boolean(
      'When true, signatures with SHA-1, which can be forged with some effort, are accepted. Default: false.',
    ),
    usernamePrefix,
    groupsPrefix,
  },
  { typeName: 'SamlConnector' },
)
