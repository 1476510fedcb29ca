import { conditionSchema } from '../metadata/schema.ts'
import type { Schema } from '../schema.ts'
import { list, listMap, object, type Properties, string, stringSet, strings } from '../schema-builder.ts'

/** Parts that several management kinds have in common, so that they are named and described alike. */

export const naming: Properties = {
  displayName: string('Name for human readers, shown in the console and in lists.'),
  description: string('Purpose of the object, as free text.'),
}

export const owner: Schema = object('The responsible user or team. Set only one of the two.', {
  user: string('Name of the User.'),
  team: string('Name of the Team.'),
})

export const access: Schema = list(
  'Permissions in addition to those that membership in the project gives.',
  object(
    'Grants permissions to users and teams.',
    {
      name: string('Optional name of the grant, for human readers.'),
      verbs: strings('Verbs that are allowed on this object, for example `get`, `use` or `*`.'),
      clusterRole: string(
        'ClusterRole that the users and teams have inside, instead of the one that their project role maps to.',
      ),
      users: stringSet('Names of Users. `*` is every user.'),
      teams: stringSet('Names of Teams. `*` is every team.'),
    },
    { typeName: 'Grant' },
  ),
)

export const conditions: Schema = listMap('Aspects of the state, one entry for each type.', ['type'], conditionSchema)

/** The part of status that reports progress. */
export const progress: Properties = {
  phase: string('Lifecycle phase of the object, as one word.'),
  reason: string('Reason for the phase, as one word in CamelCase.'),
  message: string('Details for human readers.'),
  observedGeneration: {
    type: 'integer',
    format: 'int64',
    description: 'Generation of the spec that this status describes.',
  },
  conditions,
}
