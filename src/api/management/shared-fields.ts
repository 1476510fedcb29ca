import { conditionSchema } from '../metadata/schema.ts'
import type { Schema } from '../schema.ts'
import { list, listMap, object, type Properties, string, stringSet, strings } from '../schema-builder.ts'

/** Parts that several management kinds have in common, so that they are named and described alike. */

export const naming: Properties = {
  displayName: string('Name shown to people in the console and in lists.'),
  description: string('What this is for, in free text.'),
}

export const owner: Schema = object('User or team that is responsible. Give one of the two.', {
  user: string('Name of the User.'),
  team: string('Name of the Team.'),
})

export const access: Schema = list(
  'Who may do what here, beyond what membership in the project gives.',
  object(
    'A grant to some users and teams.',
    {
      name: string('Optional name of the grant, for people to tell grants apart.'),
      verbs: strings('Requests on this object that are allowed, for example `get`, `use` or `*`.'),
      clusterRole: string(
        'ClusterRole that those named here get inside, instead of the one their project role maps to.',
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
  phase: string('Where the object is in its life, as one word.'),
  reason: string('Why it is in this phase, as one word in CamelCase.'),
  message: string('The same for people.'),
  observedGeneration: {
    type: 'integer',
    format: 'int64',
    description: 'Generation of the spec that this status is about.',
  },
  conditions,
}
