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
    description:
      'A project groups spaces and virtual clusters, and says who works with them and how much they may use.',
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
    'Who works in the project, and as what.',
    ['kind', 'name'],
    object(
      'One member.',
      {
        kind: oneOf('What the member is.', ['User', 'Team']),
        name: string('Name of the User or Team.'),
        role: oneOf(
          'What the member may do in the project: `admin` everything, `user` work with what is there and make new things, `viewer` look. Default: `user`.',
          ['admin', 'user', 'viewer'],
        ),
      },
      { required: ['kind', 'name'], typeName: 'Member' },
    ),
  ),
  access,
  allowedClusters: stringSet(
    'Names of the clusters that the project may use. Absent, or `*`: all of them. An empty list: none.',
  ),
  quotas: object('How much the project may use. Names are resources, for example `virtualclusterinstances`.', {
    project: map('Limits for the project as a whole.', amounts),
    user: map('Limits for each user.', amounts),
  }),
}

const status = {
  ...progress,
  namespace: string('Namespace of the platform in which the objects of the project live.'),
  quotas: object('How much of the limits is used.', {
    project: map('Used by the project as a whole.', amounts),
  }),
}
