import type { Kind } from '../kind.ts'
import { boolean, integer, object, oneOf, string, stringSet, strings } from '../schema-builder.ts'
import { displayNameColumn, textColumn } from './columns.ts'
import { caBundle, groupsPrefix, secretReference, usernamePrefix } from './connector-fields.ts'
import { github } from './connector-github.ts'
import { ldap } from './connector-ldap.ts'
import { saml } from './connector-saml.ts'
import { connectorTypes } from './connector-settings.ts'
import { validateConnector, validateConnectorUpdate } from './connector-validation.ts'
import { managementKind } from './management-kind.ts'
import { conditions, naming } from './shared-fields.ts'

/** An identity provider with which people sign in. */
export function connectorKind(domain: string): Kind {
  return managementKind(domain, {
    kind: 'Connector',
    plural: 'connectors',
    namespaced: false,
    description: 'An identity provider by which people sign in to the platform.',
    spec,
    status: { conditions },
    columns: [
      displayNameColumn,
      textColumn('Type', 'spec.type', 'Protocol that the identity provider speaks.'),
      textColumn('Issuer', 'spec.oidc.issuer', 'Address of the identity provider.'),
    ],
    strategy: { validate: validateConnector, validateUpdate: validateConnectorUpdate },
  })
}

const oidc = object(
  'How an OpenID Connect provider is asked.',
  {
    issuer: string(
      'Address of the provider, exactly as it calls itself; its settings are read from `/.well-known/openid-configuration` below it. It cannot be changed: who a user is depends on it.',
    ),
    clientId: string('Name of the platform at the provider.'),
    clientSecretRef: secretReference(
      'Secret with which the platform shows the provider who it is. Absent: the platform is a public client.',
      'clientSecret',
    ),
    redirectUri: string(
      'Address to which the provider sends people back, if it is not `/auth/callback/<name>` below the address by which they came.',
    ),
    caBundle,
    scopes: stringSet('Scopes to ask for besides `openid`. Default: `profile` and `email`.'),
    graphUrl: string(
      'Where groups are asked for that do not fit into a token of Microsoft Entra ID. Default: `https://graph.microsoft.com` for its public issuer, else nowhere.',
    ),
    getUserInfo: boolean('When true, the userinfo endpoint is asked too, for providers that tell groups only there.'),
    clockSkewSeconds: integer('How far the clock of the provider may be off. Default: 300, at most 600.'),
    claims: object('Which claims say what. A path such as `realm_access.roles` leads into a claim.', {
      username: string('Name of the user. Default: `preferred_username`, else `email` if it is verified, else `sub`.'),
      preferredUsername: string('Name that the user likes to be called by. Default: `name`.'),
      email: string('Mail address. Default: `email`.'),
      emailVerified: string(
        'Whether the provider has verified the mail address. Default: `email_verified` if that is in `email`, else none: it is not verified.',
      ),
      groups: string('Groups. Default: `groups`.'),
    }),
    usernamePrefix,
    groupsPrefix,
  },
  { typeName: 'OidcConnector' },
)

const spec = {
  ...naming,
  type: oneOf('Protocol that the identity provider speaks. It cannot be changed.', connectorTypes),
  disabled: boolean('When true, new sign-ins through this connector are refused. Sessions that are open go on.'),
  oidc,
  github,
  ldap,
  saml,
  groupFilters: strings(
    'Which groups of the provider count; `*` stands for any characters. Matched before the prefix is put before them. Empty: all.',
  ),
  allowedGroups: stringSet('Only users in one of these groups get in. With the prefix. Empty: every user.'),
  allowedEmailDomains: stringSet(
    'Only users with a verified mail address in one of these domains get in. Empty: every user.',
  ),
  extraClaims: stringSet('Names of further claims, or attributes of a directory, to keep with the session.'),
  createTeams: boolean(
    'When true, a sign-in creates a Team for each group of the user that brings users into no team yet: 500 at most by this connector. The Team alone gives them no rights.',
  ),
  sessionSeconds: integer(
    'The longest life, in seconds, of a session or of the key of a command after a sign-in through this connector: 300 to 2592000. The platform or the provider may end it earlier. Default: 43200 where the provider cannot be asked about the user again, otherwise that of all sessions.',
  ),
  disableUserCreation: boolean(
    'When true, only users get in whose User names their identity; otherwise a User is created at the first sign-in.',
  ),
}
