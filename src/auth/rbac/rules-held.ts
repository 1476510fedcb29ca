import type { UserInfo } from '../../api/access.ts'
import type { BindingIndex, SubjectGrant } from './binding-index.ts'
import type { RbacRule } from './rule.ts'
import type { RbacState } from './state.ts'
import type { RoleReference } from './subject.ts'

/** Limit of rules that are shown or compared. */
const mostGathered = 50_000

export interface RulesHeld {
  /** The first rules, up to the limit. */
  readonly rules: readonly RbacRule[]
  /** The number of all rules. */
  readonly count: number
}

/**
 * The rules of every role bound to the user, cluster-wide and in the namespace, each role once. Missing roles are added
 * to `missing`.
 */
export function rulesHeld(
  state: RbacState,
  user: UserInfo,
  namespace: string,
  missing: RoleReference[] = [],
): RulesHeld {
  const inNamespace = namespace === '' ? undefined : state.bindingsByNamespace.get(namespace)
  const found = new Set<readonly RbacRule[]>()
  findRules(state.clusterBindings, '')
  if (inNamespace !== undefined) findRules(inNamespace, namespace)
  return firstOf(found)

  function findRules(bindings: BindingIndex, scope: string): void {
    for (const { role } of grantsOf(bindings, user)) {
      const compiled = state.roles.find(role, scope)
      if (compiled === undefined) missing.push(role)
      else found.add(compiled.rules)
    }
  }
}

function firstOf(found: Iterable<readonly RbacRule[]>): RulesHeld {
  const rules: RbacRule[] = []
  let count = 0
  for (const each of found) {
    count += each.length
    for (const rule of each.slice(0, mostGathered - rules.length)) rules.push(rule)
  }
  return { rules, count }
}

/** Each binding once, however many of its subjects match the user. */
function grantsOf(bindings: BindingIndex, user: UserInfo): readonly SubjectGrant[] {
  const byBinding = new Map(bindings.ofUser(user.name))
  for (const group of user.groups) {
    for (const [binding, grant] of bindings.ofGroup(group) ?? []) byBinding.set(binding, grant)
  }
  return [...byBinding.values()]
}

/** More than any user reads. */
const mostShownCharacters = 1024 * 1024

/** As many of the rules as one answer may contain. */
export function rulesToShow(rules: readonly RbacRule[]): readonly RbacRule[] {
  let left = mostShownCharacters
  const end = rules.findIndex((rule) => {
    left -= sizeOf(rule)
    return left < 0
  })
  return end < 0 ? rules : rules.slice(0, end)
}

/** The approximate length as JSON. */
function sizeOf(rule: RbacRule): number {
  const texts = [rule.verbs, rule.apiGroups, rule.resources, rule.resourceNames, rule.nonResourceURLs]
  return texts.reduce((sum, each) => each.reduce((length, text) => length + text.length + 3, sum), 50)
}
