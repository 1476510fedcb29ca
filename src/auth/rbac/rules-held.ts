import type { UserInfo } from '../../api/access.ts'
import type { Steps } from '../../base/steps.ts'
import { mostExamined } from './compiled-rules.ts'
import { grantSources } from './grant-sources.ts'
import { MissingRoles } from './missing-roles.ts'
import type { RbacRule } from './rule.ts'
import type { RbacState } from './state.ts'

/** Limit of rules that are shown or compared. */
const mostGathered = 50_000
const bindingsPerStep = 1_000

export interface RulesHeld {
  /** The first rules, up to the limit. */
  readonly rules: readonly RbacRule[]
  /** The number of all rules. */
  readonly count: number
  /** Whether there are more bindings than one decision checks. */
  readonly isPartial: boolean
}

/**
 * The rules of every role bound to the user, cluster-wide and in the namespace, each role once. Missing roles are added
 * to `missing`.
 */
export function* rulesHeld(
  state: RbacState,
  user: UserInfo,
  namespace: string,
  missing = new MissingRoles(),
): Steps<RulesHeld> {
  const found = new Set<readonly RbacRule[]>()
  let count = 0
  for (const source of grantSources(state, user, namespace)) {
    for (const { role } of source.grants.values()) {
      if (count === mostExamined) return { ...firstOf(found), isPartial: true }
      count += 1
      if (count % bindingsPerStep === 0) yield
      const compiled = state.roles.find(role, source.namespace)
      if (compiled === undefined) missing.add(role)
      else found.add(compiled.rules)
    }
  }
  return { ...firstOf(found), isPartial: false }
}

function firstOf(found: Iterable<readonly RbacRule[]>): Pick<RulesHeld, 'rules' | 'count'> {
  const rules: RbacRule[] = []
  let count = 0
  for (const each of found) {
    count += each.length
    if (rules.length < mostGathered) for (const rule of each.slice(0, mostGathered - rules.length)) rules.push(rule)
  }
  return { rules, count }
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
