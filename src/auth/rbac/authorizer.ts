import type { Attributes, Decision, UserInfo } from '../../api/access.ts'
import { quoted } from '../../api/human/go-syntax.ts'
import type { Authorizer, RuleSet } from '../contract.ts'
import type { BindingIndex, Grants } from './binding-index.ts'
import { allows, Looks, mostLooks } from './compiled-rules.ts'
import { rulesHeld, rulesToShow } from './rules-held.ts'
import type { RbacState } from './state.ts'
import type { RoleReference } from './subject.ts'

/** The group that may do everything, whatever roles and bindings say, so that administrators are never locked out. */
export const superuserGroup = 'system:masters'

const superuser: Decision = { verdict: 'allow', reason: '' }
const noOpinion: Decision = { verdict: 'no-opinion', reason: '' }

export function createRbacAuthorizer(state: RbacState): Authorizer {
  return {
    authorize: (attributes) => decide(state, attributes),
    rulesFor: (user, namespace) => ruleSet(state, user, namespace),
  }
}

function decide(state: RbacState, attributes: Attributes): Decision {
  if (attributes.user.groups.includes(superuserGroup)) return superuser
  const search: Search = { attributes, missing: [], looks: new Looks() }
  const byCluster = decideBy(state, state.clusterBindings, '', search)
  if (byCluster !== undefined) return byCluster
  const namespace = 'path' in attributes ? '' : attributes.namespace
  const bindings = namespace === '' ? undefined : state.bindingsByNamespace.get(namespace)
  return (bindings && decideBy(state, bindings, namespace, search)) ?? undecided(search)
}

interface Search {
  readonly attributes: Attributes
  /** Roles that bindings refer to and that do not exist. */
  readonly missing: RoleReference[]
  readonly looks: Looks
}

function undecided({ missing, looks }: Search): Decision {
  if (looks.areUsedUp) return tooManyRules
  return missing.length === 0 ? noOpinion : missingRoles(missing)
}

const tooManyRules: Decision = {
  verdict: 'no-opinion',
  reason: `RBAC: more than ${mostLooks} rules are about this, and only the first of them were looked at`,
}

/** Checks only bindings that name the user or one of the user's groups. */
function decideBy(state: RbacState, bindings: BindingIndex, namespace: string, search: Search): Decision | undefined {
  const { name, groups } = search.attributes.user
  const forUser = decideByGrants(state, bindings.ofUser(name), namespace, search)
  if (forUser !== undefined) return forUser
  for (const group of groups) {
    const forGroup = decideByGrants(state, bindings.ofGroup(group), namespace, search)
    if (forGroup !== undefined) return forGroup
  }
  return undefined
}

function decideByGrants(
  state: RbacState,
  grants: Grants | undefined,
  namespace: string,
  { attributes, missing, looks }: Search,
): Decision | undefined {
  if (grants === undefined) return undefined
  for (const grant of grants.values()) {
    const rules = state.roles.find(grant.role, namespace)
    if (rules === undefined) missing.push(grant.role)
    else if (allows(rules, attributes, looks)) return grant.allowed
  }
  return undefined
}

/** Reports a binding to a missing role, the usual cause of a surprising refusal. */
function missingRoles(references: readonly RoleReference[]): Decision {
  return { verdict: 'no-opinion', reason: `RBAC: ${missingRolesText(references)}` }
}

/** Limit of missing roles in a message: every refusal contains them, and more would not be read. */
const mostMissingRoles = 100

function missingRolesText(references: readonly RoleReference[]): string {
  const texts = [...new Set(references.map(notFoundText))]
  if (texts.length === 1) return texts.join()
  const more = texts.length > mostMissingRoles ? [`and ${texts.length - mostMissingRoles} more`] : []
  return `[${[...texts.slice(0, mostMissingRoles), ...more].join(', ')}]`
}

function notFoundText({ kind, name }: RoleReference): string {
  return `${kind.toLowerCase()}.rbac.authorization.k8s.io ${quoted(name)} not found`
}

function ruleSet(state: RbacState, user: UserInfo, namespace: string): RuleSet {
  const missing: RoleReference[] = []
  const { rules: held, count } = rulesHeld(state, user, namespace, missing)
  const rules = rulesToShow(held)
  const problems = [
    ...(missing.length === 0 ? [] : [missingRolesText(missing)]),
    ...(rules.length === count ? [] : [`only the first ${rules.length} of ${count} rules are shown`]),
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
    incomplete: rules.length < count,
    ...(problems.length === 0 ? {} : { evaluationError: problems.join(', ') }),
  }
}
