import { objectsAt, textsAt, type UnknownMembers } from '../member.ts'

/** One rule of a Role or ClusterRole. Absent lists are empty. */
export interface RbacRule {
  readonly verbs: readonly string[]
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames: readonly string[]
  readonly nonResourceURLs: readonly string[]
}

export function rulesOf(role: object): readonly RbacRule[] {
  const lists = new SharedLists()
  return objectsAt(role, 'rules').map((rule) => ruleOf(rule, lists))
}

/** The form in which a rule is stored and shown, without empty lists. */
export function presentedRule(rule: RbacRule): Readonly<Record<string, readonly string[]>> {
  return {
    verbs: rule.verbs,
    ...(rule.apiGroups.length === 0 ? {} : { apiGroups: rule.apiGroups }),
    ...(rule.resources.length === 0 ? {} : { resources: rule.resources }),
    ...(rule.resourceNames.length === 0 ? {} : { resourceNames: rule.resourceNames }),
    ...(rule.nonResourceURLs.length === 0 ? {} : { nonResourceURLs: rule.nonResourceURLs }),
  }
}

/** The number of texts in all its lists. */
export function textCount({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: RbacRule): number {
  return verbs.length + apiGroups.length + resources.length + resourceNames.length + nonResourceURLs.length
}

function ruleOf(rule: UnknownMembers, lists: SharedLists): RbacRule {
  return {
    verbs: lists.shared(textsAt(rule, 'verbs')),
    apiGroups: lists.shared(textsAt(rule, 'apiGroups')),
    resources: lists.shared(textsAt(rule, 'resources')),
    resourceNames: lists.shared(textsAt(rule, 'resourceNames')),
    nonResourceURLs: lists.shared(textsAt(rule, 'nonResourceURLs')),
  }
}

const none: readonly string[] = []
const longestShared = 16

/** Rules stay in memory as long as their role is stored, and thousands in one role repeat the same few lists. */
class SharedLists {
  readonly #ofOne = new Map<string, readonly string[]>()
  readonly #ofSeveral = new Map<string, readonly string[]>()

  shared(list: readonly string[]): readonly string[] {
    const [first] = list
    if (first === undefined) return none
    if (list.length === 1) return firstOf(this.#ofOne, first, list)
    return list.length > longestShared ? list : firstOf(this.#ofSeveral, JSON.stringify(list), list)
  }
}

/** A copy takes no more memory than it needs, unlike a filtered list. */
function firstOf(known: Map<string, readonly string[]>, key: string, list: readonly string[]): readonly string[] {
  const found = known.get(key)
  if (found !== undefined) return found
  const copy = list.slice()
  known.set(key, copy)
  return copy
}
