import type { Attributes, Decision } from '../../api/access.ts'
import type { Authorizer, ResourceRule } from '../../auth/contract.ts'
import { teamGroup, userGroup } from '../../auth/keys/key-owner.ts'
import { authenticatedGroup } from '../../auth/static-tokens.ts'

/** Kinds that every user may list; each user sees only their part. */
const viewedResources = ['clusters', 'projects', 'spaceinstances', 'teams', 'users', 'virtualclusterinstances']

const noOpinion: Decision = { verdict: 'no-opinion', reason: '' }
const part: Decision = { verdict: 'allow', reason: 'shows only objects that the user may get', isPartial: true }
const own: Decision = { verdict: 'allow', reason: 'the user themselves, or a team that they are in' }

/** The group that stands for a User or a Team; undefined for all other kinds. */
export function groupStandingFor(plural: string, name: string): string | undefined {
  if (plural === 'users') return userGroup(name)
  return plural === 'teams' ? teamGroup(name) : undefined
}

/** Lets users get themselves and their teams, which no project or role grants. */
export function ownSelfAuthorizer(managementGroup: string): Authorizer {
  return {
    authorize: (attributes) => {
      if (attributes.verb !== 'get' || !isManaged(attributes, managementGroup, 'users', 'teams')) return noOpinion
      const group = groupStandingFor(attributes.resource, attributes.name)
      return group !== undefined && attributes.user.groups.includes(group) ? own : noOpinion
    },
    rulesFor: ({ groups }) => ({
      resourceRules: ['users', 'teams'].flatMap((plural) => ownRules(managementGroup, plural, groups)),
      pathRules: [],
      incomplete: false,
    }),
  }
}

function ownRules(managementGroup: string, plural: string, groups: readonly string[]): readonly ResourceRule[] {
  const prefix = groupStandingFor(plural, '') ?? ''
  const resourceNames = groups.filter((group) => group.startsWith(prefix)).map((group) => group.slice(prefix.length))
  if (resourceNames.length === 0) return []
  return [{ verbs: ['get'], apiGroups: [managementGroup], resources: [plural], resourceNames }]
}

/**
 * Lets every user list and watch the objects they may get. Asked last, because it does not allow seeing all objects.
 */
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
