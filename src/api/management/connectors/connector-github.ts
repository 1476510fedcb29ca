import { object, string, stringSet } from '../../schema-builder.ts'
import { caBundle, groupsPrefix, secretReference, usernamePrefix } from './connector-fields.ts'

export const github = object(
  'Settings for github.com or a GitHub Enterprise Server.',
  {
    url: string('Address of a GitHub Enterprise Server. If empty, `https://github.com`. Immutable.'),
    caBundle,
    clientId: string('Client ID of the OAuth app.'),
    clientSecretRef: secretReference('Secret with a client secret of the OAuth app.', 'clientSecret'),
    redirectUri: string(
      'Address that GitHub redirects users to. By default, `/auth/callback/<name>` at the address that they use for the platform.',
    ),
    organizations: stringSet(
      'Organizations whose members may sign in. The groups of a user are the organizations (`acme`) and teams (`acme/admins`) that the user belongs to.',
    ),
    usernamePrefix,
    groupsPrefix,
  },
  { typeName: 'GithubConnector' },
)
