import type { Kind } from '../kind.ts'
import { boolean, integer, string, strings } from '../schema-builder.ts'
import { displayNameColumn, textColumn } from './columns.ts'
import { secretReference } from './connector-fields.ts'
import { managementKind } from './management-kind.ts'
import { validateOidcClient } from './oidc-client-validation.ts'
import { conditions, naming } from './shared-fields.ts'

/** An application that users sign in to with their account of the platform. */
export function oidcClientKind(domain: string): Kind {
  return managementKind(domain, {
    kind: 'OIDCClient',
    plural: 'oidcclients',
    namespaced: false,
    description:
      'An application that users sign in to with their account of the platform, by OpenID Connect. Its client id is the name of this object.',
    spec,
    status: { conditions },
    columns: [displayNameColumn, textColumn('Consent', 'spec.consent', 'Whether users are asked.')],
    strategy: { validate: validateOidcClient },
  })
}

const spec = {
  ...naming,
  clientSecretRef: secretReference(
    'Secret with what the application proves itself by. Absent: a public client, which has to use PKCE.',
    'clientSecret',
  ),
  redirectUris: strings('Where users may be sent back to, to the letter.'),
  postLogoutRedirectUris: strings(
    'Where users may be sent after they have signed out of the application, to the letter.',
  ),
  scopes: strings(
    'What the application may ask for besides `openid`. Default: profile, email, groups, offline_access.',
  ),
  consent: string(
    '`ask`, which is the default: users are asked each time. `none`: they are not, for applications of the operator.',
  ),
  allowWithoutPkce: boolean('When true, an application with a secret may leave PKCE out.'),
  allowedTeams: strings('Only members of these teams may sign in. Empty: all users.'),
  accessTokenSeconds: integer('How long access and ID tokens are good: 60 to 3600. Default: 600.'),
  refreshTokenSeconds: integer('How long a user stays signed in by refresh tokens: 300 to 2592000. Default: 604800.'),
  disabled: boolean('When true, users cannot sign in to the application, and its refresh tokens are refused.'),
}
