import type { Kind } from '../kind.ts'
import { integer, string, stringSet } from '../schema-builder.ts'
import { displayNameColumn, textColumn } from './columns.ts'
import { managementKind } from './management-kind.ts'
import { conditions, naming, owner } from './shared-fields.ts'

/** Users that get permissions together. */
export function teamKind(domain: string): Kind {
  return managementKind(domain, {
    kind: 'Team',
    plural: 'teams',
    namespaced: false,
    description: 'Users that are given permissions together.',
    spec,
    status,
    columns: [displayNameColumn, textColumn('Username', 'spec.username', 'Name under which permissions are given.')],
    selectable: ['spec.username'],
  })
}

const spec = {
  ...naming,
  username: string('Name under which permissions are given. Empty: the name of this object.'),
  owner,
  users: stringSet('Names of the Users in the team.'),
  groups: stringSet('Groups whose members are in the team too.'),
}

const status = {
  members: integer('How many users are in the team.'),
  conditions,
}
