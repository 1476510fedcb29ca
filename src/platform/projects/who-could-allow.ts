import type { Attributes, Decision } from '../../api/access.ts'
import type { Authorizer, RuleSet } from '../../auth/contract.ts'
import { authenticatedGroup } from '../../auth/static-tokens.ts'
import type { ProjectMembership } from './membership.ts'

const noOpinion: Decision = { verdict: 'no-opinion', reason: '' }
/** Names neither the requested object nor the administrators: the caller may not see them. */
const administrators: Decision = { verdict: 'no-opinion', reason: 'an administrator of the platform can allow it' }

/** Whether no scope, role or grant explains the refusal. */
export function isUnexplained({ reason }: Decision): boolean {
  return reason === '' || reason === administrators.reason
}

const noRules: RuleSet = { resourceRules: [], pathRules: [], incomplete: false }

/**
 * Never allows: tells users who could allow a request that no authorizer allowed. Asked last, and silent if the role in
 * a project has already explained the refusal.
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
