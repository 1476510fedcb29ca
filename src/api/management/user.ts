import type { Kind } from '../kind.ts'
import { boolean, listMap, object, string, stringSet, strings, time } from '../schema-builder.ts'
import { displayNameColumn, textColumn, wide } from './columns.ts'
import { managementKind } from './management-kind.ts'
import { conditions, naming } from './shared-fields.ts'

/** A user of the platform. */
export function userKind(domain: string): Kind {
  return managementKind(domain, {
    kind: 'User',
    plural: 'users',
    namespaced: false,
    description: 'A user of the platform: a person, or a program with its own identity.',
    spec,
    status,
    columns: [
      displayNameColumn,
      textColumn('Username', 'spec.username', 'Name that the user signs in with.'),
      textColumn('Email', 'spec.email', 'Email address of the user.'),
      wide(textColumn('Subject', 'spec.subject', 'Name that permissions are granted to.')),
    ],
    selectable: ['spec.username', 'spec.email', 'spec.subject'],
  })
}

const spec = {
  ...naming,
  username: string('Name that the user signs in with.'),
  email: string('Email address of the user.'),
  subject: string('Name that permissions are granted to. If empty, the name of this object.'),
  groups: stringSet('Groups that the user belongs to.'),
  identities: listMap(
    'Accounts of this user at identity providers. The platform adds an entry when it creates a user at the first sign-in.',
    ['connector', 'userId'],
    object(
      'An account at an identity provider.',
      {
        connector: string('Name of the Connector.'),
        userId: string('Subject of the account at the provider, which does not change with its name or email address.'),
      },
      { required: ['connector', 'userId'], typeName: 'UserIdentity' },
    ),
  ),
  disabled: boolean('When true, the user is locked: sign-on and all access keys of the user are refused.'),
}

const status = {
  signOn: listMap(
    'Data from identity providers, as of the last sign-in. Written by the platform.',
    ['connector'],
    object(
      'Data from one identity provider.',
      {
        connector: string('Name of the Connector.'),
        groups: strings('Groups at the provider. They determine the teams of the user, and have no other effect.'),
        lastSignOn: time('Time at which the user last signed in through the connector.'),
      },
      { required: ['connector'], typeName: 'UserSignOn' },
    ),
  ),
  teams: stringSet('Names of the teams that the user belongs to.'),
  lastActivity: time('Time of the last activity of the user.'),
  conditions,
}
