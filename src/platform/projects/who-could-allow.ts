import type { Attributes, Decision } from '../../api/access.ts'
import type { Authorizer, RuleSet } from '../../auth/contract.ts'
import { authenticatedGroup } from '../../auth/static-tokens.ts'
import type { ProjectMembership } from './membership.ts'

const noOpinion: Decision = { verdict: 'no-opinion', reason: '' }
/** Whether what was asked for exists, and who the administrators are, is not said: the caller may not see them. */
const administrators: Decision = { verdict: 'no-opinion', reason: 'an administrator of the platform can allow it' }

/** Whether nothing is known of why it was refused: of a scope, a role or a grant. */
export function isUnexplained({ reason }: Decision): boolean {
  return reason === '' || reason === administrators.reason
}

const noRules: RuleSet = { resourceRules: [], pathRules: [], incomplete: false }

/**
 * Allows nothing: says to users who could allow what no authorizer did. Asked last, and silent where the role in a project
 * has said it already.
 */
export function whoCouldAllow(
  projects: Pick<ProjectMembership, 'explainsRefusal'>,
  managementGroup: string,
): Authorizer {
  const isToTell = (attributes: Attributes): boolean => {
    if ('path' in attributes || attributes.group !== managementGroup) return false
    if (attributes.target !== undefined && attributes.target.kind !== 'management') return false
    return attributes.user.groups.includes(authenticatedGroup) && !projects.explainsRefusal(attributes)
  }
  return {
    authorize: (attributes) => (isToTell(attributes) ? administrators : noOpinion),
    rulesFor: () => noRules,
  }
}
