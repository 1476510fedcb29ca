import type { Attributes, Decision } from '../../api/access.ts'
import type { Authorizer } from '../../auth/contract.ts'
import { teamGroup } from '../../auth/keys/key-owner.ts'
import { authenticatedGroup } from '../../auth/static-tokens.ts'

/** Kinds that every user may list, each seeing their own part. */
const viewedResources = ['projects', 'spaceinstances', 'teams', 'virtualclusterinstances']

const noOpinion: Decision = { verdict: 'no-opinion', reason: '' }
const part: Decision = { verdict: 'allow', reason: 'shows only objects that the user may get', isPartial: true }
const ownTeam: Decision = { verdict: 'allow', reason: 'member of the team' }

/** Lets members get their own teams, which is the one thing that no project and no role gives them. */
export function ownTeamAuthorizer(managementGroup: string): Authorizer {
  return {
    authorize: (attributes) => {
      if (!isManaged(attributes, managementGroup, 'teams') || attributes.verb !== 'get') return noOpinion
      return attributes.user.groups.includes(teamGroup(attributes.name)) ? ownTeam : noOpinion
    },
    rulesFor: ({ groups }) => ({
      resourceRules: groups
        .filter((group) => group.startsWith(teamGroup('')))
        .map((group) => ({
          verbs: ['get'],
          apiGroups: [managementGroup],
          resources: ['teams'],
          resourceNames: [group.slice(teamGroup('').length)],
        })),
      pathRules: [],
      incomplete: false,
    }),
  }
}

/** Lets every user list and watch what they may get. Asked last: it says nothing of all objects. */
export function viewAuthorizer(managementGroup: string): Authorizer {
  const rule = { verbs: ['list', 'watch'], apiGroups: [managementGroup], resources: viewedResources }
  return {
    authorize: (attributes) => {
      const { user, verb } = attributes
      if (verb !== 'list' && verb !== 'watch') return noOpinion
      if (!isManaged(attributes, managementGroup, ...viewedResources)) return noOpinion
      return user.groups.includes(authenticatedGroup) ? part : noOpinion
    },
    rulesFor: ({ groups }) => ({
      resourceRules: groups.includes(authenticatedGroup) ? [rule] : [],
      pathRules: [],
      incomplete: false,
    }),
  }
}

function isManaged(
  attributes: Attributes,
  managementGroup: string,
  ...resources: readonly string[]
): attributes is Extract<Attributes, { resource: string }> {
  if ('path' in attributes || attributes.group !== managementGroup || attributes.subresource !== '') return false
  if (attributes.target !== undefined && attributes.target.kind !== 'management') return false
  return resources.includes(attributes.resource)
}
