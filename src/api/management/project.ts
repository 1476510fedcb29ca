import type { Kind } from '../kind.ts'
import { listMap, map, object, oneOf, string, stringSet } from '../schema-builder.ts'
import { displayNameColumn, phaseColumn } from './columns.ts'
import { managementKind } from './management-kind.ts'
import { access, naming, owner, progress } from './shared-fields.ts'

/** Spaces and virtual clusters that belong together, and the people who work with them. */
export function projectKind(domain: string): Kind {
  return managementKind(domain, {
    kind: 'Project',
    plural: 'projects',
    shortNames: ['proj'],
    namespaced: false,
    description: 'A project groups spaces and virtual clusters, and defines its members and quotas.',
    spec,
    status,
    columns: [displayNameColumn, phaseColumn],
    hasSealedPart: true,
  })
}

const amounts = { type: 'string' } as const

const spec = {
  ...naming,
  owner,
  members: listMap(
    'Members of the project, and their roles.',
    ['kind', 'name'],
    object(
      'One member.',
      {
        kind: oneOf('Kind of the member.', ['User', 'Team']),
        name: string('Name of the User or Team.'),
        role: oneOf(
          'Role of the member in the project: `admin` may do everything, `user` may use existing objects and create new ones, `viewer` may only read. Default: `user`.',
          ['admin', 'user', 'viewer'],
        ),
      },
      { required: ['kind', 'name'], typeName: 'Member' },
    ),
  ),
  access,
  allowedClusters: stringSet(
    'Names of the clusters that the project may use. If absent or `*`, all clusters. If the list is empty, none.',
  ),
  quotas: object('Quotas of the project, by resource, for example `virtualclusterinstances`.', {
    project: map('Limits for the project as a whole.', amounts),
    user: map('Limits for each user.', amounts),
  }),
}

const status = {
  ...progress,
  namespace: string('Namespace on the platform that contains the objects of the project.'),
  quotas: object('Current usage of the quotas.', {
    project: map('Used by the project as a whole.', amounts),
  }),
}
