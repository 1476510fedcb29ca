import type { Kind } from '../../kind.ts'
import type { KubeObject } from '../../object.ts'
import { boolean, integer, object, oneOf, string, stringSet, strings } from '../../schema-builder.ts'
import { displayNameColumn, textColumn } from '../columns.ts'
import { managementKind } from '../management-kind.ts'
import { conditions, naming } from '../shared-fields.ts'
import { textAtPath } from '../text-at.ts'
import { caBundle, groupsPrefix, secretReference, usernamePrefix } from './connector-fields.ts'
import { github } from './connector-github.ts'
import { ldap } from './connector-ldap.ts'
import { saml } from './connector-saml.ts'
import { connectorTypes } from './connector-settings.ts'
import { validateConnector, validateConnectorUpdate } from './connector-validation.ts'

/** An identity provider with which people sign in. */
export function connectorKind(domain: string): Kind {
  return managementKind(domain, {
    kind: 'Connector',
    plural: 'connectors',
    namespaced: false,
    description: 'An identity provider with which users sign in to the platform.',
    spec,
    status: { conditions },
    columns: [
      displayNameColumn,
      textColumn('Type', 'spec.type', 'Protocol of the identity provider.'),
      { name: 'Issuer', type: 'string', description: 'Address of the identity provider.', value: addressOf },
    ],
    strategy: { validate: validateConnector, validateUpdate: validateConnectorUpdate },
  })
}

const addresses = ['spec.oidc.issuer', 'spec.saml.issuer', 'spec.ldap.url', 'spec.github.url'].map(textAtPath)

function addressOf(connector: KubeObject): string {
  return addresses.map((read) => read(connector)).find((address) => address !== '') ?? ''
}

const oidc = object(
  'Settings for an OpenID Connect provider.',
  {
    issuer: string(
      'Issuer URL of the provider, exactly as in its tokens. Its settings are read from `/.well-known/openid-configuration` below this address. Immutable, because the identity of users depends on it.',
    ),
    clientId: string('Client ID of the platform at the provider.'),
    clientSecretRef: secretReference(
      'Secret with which the platform authenticates to the provider. If absent, the platform is a public client.',
      'clientSecret',
    ),
    redirectUri: string(
      'Address that the provider redirects users to. By default, `/auth/callback/<name>` at the address that they use for the platform.',
    ),
    caBundle,
    scopes: stringSet('Scopes to request in addition to `openid`. Default: `profile` and `email`.'),
    graphUrl: string(
      'Address from which groups are read that do not fit into a token of Microsoft Entra ID. Default: `https://graph.microsoft.com` for its public issuer, otherwise none.',
    ),
    getUserInfo: boolean(
      'When true, the userinfo endpoint is queried too, for providers that return groups only there.',
    ),
    clockSkewSeconds: integer('Allowed deviation of the clock of the provider, in seconds. Default: 300, at most 600.'),
    claims: object('Names of the claims to read. A path such as `realm_access.roles` selects a value inside a claim.', {
      username: string(
        'Name of the user. Default: `preferred_username`, otherwise `email` if it is verified, otherwise `sub`.',
      ),
      preferredUsername: string('Preferred name of the user. Default: `name`.'),
      email: string('Email address. Default: `email`.'),
      emailVerified: string(
        'Whether the provider has verified the email address. Default: `email_verified` if `email` is the claim with the address; otherwise none, and addresses count as not verified.',
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
  type: oneOf('Protocol of the identity provider. Immutable.', connectorTypes),
  disabled: boolean('When true, new sign-ins through this connector are refused. Open sessions continue.'),
  oidc,
  github,
  ldap,
  saml,
  groupFilters: strings(
    'Groups of the provider to keep; `*` matches any characters. Names are compared without the prefix. If empty, all groups.',
  ),
  allowedGroups: stringSet('Groups whose members may sign in, with the prefix. If empty, all users may.'),
  allowedEmailDomains: stringSet(
    'Domains of verified email addresses whose users may sign in. If empty, all users may.',
  ),
  extraClaims: stringSet('Names of additional claims, or attributes of a directory, to keep with the session.'),
  createTeams: boolean(
    'When true, a sign-in creates a Team for each group of the user that does not belong to a team yet, at most 500 for this connector. The Team alone grants no permissions.',
  ),
  sessionSeconds: integer(
    'Maximum lifetime, in seconds, of a session or of a key for the command line after a sign-in through this connector, from 300 to 2592000. The platform or the provider may end it earlier. Default: 43200 if the provider cannot be queried about the user again, otherwise the value for all sessions.',
  ),
  disableUserCreation: boolean(
    'When true, only users whose User lists their identity may sign in. Otherwise, a User is created at the first sign-in.',
  ),
}
