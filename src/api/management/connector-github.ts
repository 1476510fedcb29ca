import { object, string, stringSet } from '../schema-builder.ts'
import { caBundle, groupsPrefix, secretReference, usernamePrefix } from './connector-fields.ts'

export const github = object(
  'How GitHub is asked: github.com, or a GitHub Enterprise Server.',
  {
    url: string('Address of a GitHub Enterprise Server. Empty: `https://github.com`. It cannot be changed.'),
    caBundle,
    clientId: string('Client ID of the OAuth app.'),
    clientSecretRef: secretReference('Secret with a client secret of the OAuth app.', 'clientSecret'),
    redirectUri: string(
      'Address to which GitHub sends people back, if it is not `/auth/callback/<name>` below the address by which they came.',
    ),
    organizations: stringSet(
      'Only members of these organizations get in. Groups are the organizations (`acme`) and their teams (`acme/admins`) that the user is in.',
    ),
    usernamePrefix,
    groupsPrefix,
  },
  { typeName: 'GithubConnector' },
)
