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
  return objectsAt(role, 'rules').map(ruleOf)
}

/** The form in which a rule is stored and shown: empty lists are left out. */
export function presentedRule(rule: RbacRule): Readonly<Record<string, readonly string[]>> {
  return {
    verbs: rule.verbs,
    ...(rule.apiGroups.length === 0 ? {} : { apiGroups: rule.apiGroups }),
    ...(rule.resources.length === 0 ? {} : { resources: rule.resources }),
    ...(rule.resourceNames.length === 0 ? {} : { resourceNames: rule.resourceNames }),
    ...(rule.nonResourceURLs.length === 0 ? {} : { nonResourceURLs: rule.nonResourceURLs }),
  }
}

function ruleOf(rule: UnknownMembers): RbacRule {
  return {
    verbs: textsAt(rule, 'verbs'),
    apiGroups: textsAt(rule, 'apiGroups'),
    resources: textsAt(rule, 'resources'),
    resourceNames: textsAt(rule, 'resourceNames'),
    nonResourceURLs: textsAt(rule, 'nonResourceURLs'),
  }
}
