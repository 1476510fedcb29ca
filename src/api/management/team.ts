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
    description: 'A group of users that share permissions.',
    spec,
    status,
    columns: [displayNameColumn, textColumn('Username', 'spec.username', 'Name that permissions are granted to.')],
    selectable: ['spec.username'],
  })
}

const spec = {
  ...naming,
  username: string('Name that permissions are granted to. If empty, the name of this object.'),
  owner,
  users: stringSet('Names of the Users in the team.'),
  groups: stringSet('Groups whose members also belong to the team.'),
}

const status = {
  members: integer('Number of users in the team.'),
  conditions,
}
