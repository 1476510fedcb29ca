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
    description: 'A user of the platform: a person, or a program that acts in its own name.',
    spec,
    status,
    columns: [
      displayNameColumn,
      textColumn('Username', 'spec.username', 'Name that the user signs on with.'),
      textColumn('Email', 'spec.email', 'Mail address of the user.'),
      wide(textColumn('Subject', 'spec.subject', 'Name under which permissions are given.')),
    ],
    selectable: ['spec.username', 'spec.email', 'spec.subject'],
  })
}

const spec = {
  ...naming,
  username: string('Name that the user signs on with.'),
  email: string('Mail address of the user.'),
  subject: string('Name under which permissions are given. Empty: the name of this object.'),
  groups: stringSet('Groups that the user belongs to.'),
  identities: listMap(
    'Who this user is at identity providers. The platform adds an entry when it creates a user at the first sign-in.',
    ['connector', 'userId'],
    object(
      'One account at a provider.',
      {
        connector: string('Name of the Connector.'),
        userId: string('Subject of the account at the provider, which stays when its name or mail address changes.'),
      },
      { required: ['connector', 'userId'], typeName: 'UserIdentity' },
    ),
  ),
  disabled: boolean('When true, the user is locked: sign-on and all access keys of the user are refused.'),
}

const status = {
  signOn: listMap(
    'What identity providers said at the last sign-in. Written by the platform.',
    ['connector'],
    object(
      'What one of them said.',
      {
        connector: string('Name of the Connector.'),
        groups: strings('Groups at the provider. They bring the user into teams, and give nothing else.'),
        lastSignOn: time('When the user last signed in through it.'),
      },
      { required: ['connector'], typeName: 'UserSignOn' },
    ),
  ),
  teams: stringSet('Names of the teams that the user is in.'),
  lastActivity: time('When the user was last seen.'),
  conditions,
}
