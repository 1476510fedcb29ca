import type { Kind } from '../kind.ts'
import { boolean, integer, string, strings } from '../schema-builder.ts'
import { displayNameColumn, textColumn } from './columns.ts'
import { secretReference } from './connectors/connector-fields.ts'
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
      'An application that users sign in to with their account on the platform, through OpenID Connect. Its client ID is the name of this object.',
    spec,
    status: { conditions },
    columns: [displayNameColumn, textColumn('Consent', 'spec.consent', 'Whether users are asked for consent.')],
    strategy: { validate: validateOidcClient },
  })
}

const spec = {
  ...naming,
  clientSecretRef: secretReference(
    'Secret with which the application authenticates. If absent, it is a public client, which must use PKCE.',
    'clientSecret',
  ),
  redirectUris: strings('Addresses that users may be redirected to. They are compared exactly.'),
  postLogoutRedirectUris: strings(
    'Addresses that users may be redirected to after they sign out of the application. They are compared exactly.',
  ),
  scopes: strings(
    'Scopes that the application may request in addition to `openid`. Default: profile, email, groups, offline_access.',
  ),
  consent: string(
    'Whether users are asked for consent: `ask` (default) asks at every sign-in; `none`, for applications of the operator, never asks.',
  ),
  allowWithoutPkce: boolean('When true, an application with a secret may omit PKCE.'),
  allowedTeams: strings('Teams whose members may sign in. If empty, all users may.'),
  accessTokenSeconds: integer('Lifetime of access and ID tokens in seconds, from 60 to 3600. Default: 600.'),
  refreshTokenSeconds: integer(
    'How long, in seconds, refresh tokens keep a user signed in, from 300 to 2592000. Default: 604800.',
  ),
  disabled: boolean('When true, users cannot sign in to the application, and its refresh tokens are refused.'),
}
