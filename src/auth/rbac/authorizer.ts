import type { Attributes, Decision, UserInfo } from '../../api/access.ts'
import { Pace, paced } from '../../base/pace.ts'
import type { Authorizer, RuleSet } from '../contract.ts'
import { mostExamined } from './compiled-rules.ts'
import { DecisionSearch } from './decision-search.ts'
import { MissingRoles } from './missing-roles.ts'
import { rulesHeld, rulesToShow } from './rules-held.ts'
import type { RbacState } from './state.ts'

/** The group that may do everything, whatever roles and bindings say, so that administrators are never locked out. */
export const superuserGroup = 'system:masters'

const superuser: Decision = { verdict: 'allow', reason: '' }

/** Bindings and rules that are looked at before a decision yields. Almost every decision needs fewer. */
const mostAtOnce = 20_000
const looksPerStep = 1_000
const msPerTurn = 5

export function createRbacAuthorizer(state: RbacState): Authorizer {
  return {
    authorize: (attributes) => decide(state, attributes),
    rulesFor: (user, namespace) => ruleSet(state, user, namespace),
  }
}

function decide(state: RbacState, attributes: Attributes): Decision | Promise<Decision> {
  if (attributes.user.groups.includes(superuserGroup)) return superuser
  const search = new DecisionSearch(state, attributes)
  return search.goOn(mostAtOnce) ?? decideInTurns(search, attributes.user)
}

async function decideInTurns(search: DecisionSearch, { name }: UserInfo): Promise<Decision> {
  const pace = new Pace({ msPerTurn, party: name })
  await pace.rest()
  for (let decision = search.goOn(looksPerStep); ; decision = search.goOn(looksPerStep)) {
    if (decision !== undefined) return decision
    await pace.step()
  }
}

async function ruleSet(state: RbacState, user: UserInfo, namespace: string): Promise<RuleSet> {
  const missing = new MissingRoles()
  const steps = rulesHeld(state, user, namespace, missing)
  const { rules: held, count, isPartial } = await paced(steps, new Pace({ party: user.name }))
  const rules = rulesToShow(held)
  const problems = [
    ...(missing.isEmpty ? [] : [missing.text]),
    ...(rules.length === count ? [] : [`only the first ${rules.length} of ${count} rules are shown`]),
    ...(isPartial ? [`only the first ${mostExamined} bindings were looked at`] : []),
  ]
  return {
    resourceRules: rules
      .filter((each) => each.resources.length > 0)
      .map(({ verbs, apiGroups, resources, resourceNames }) => ({
        verbs,
        apiGroups,
        resources,
        ...(resourceNames.length === 0 ? {} : { resourceNames }),
      })),
    pathRules: rules
      .filter((each) => each.nonResourceURLs.length > 0)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    incomplete: isPartial || rules.length < count,
    ...(problems.length === 0 ? {} : { evaluationError: problems.join(', ') }),
  }
}
