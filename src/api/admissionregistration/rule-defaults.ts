import type { MatchResources } from '../types/admissionregistration-v1.ts'

export function withRuleDefaults<T extends { readonly scope?: string }>(rule: T): T {
  return { ...rule, scope: rule.scope ?? '*' }
}

export function withMatchDefaults(match: MatchResources): MatchResources {
  const { resourceRules, excludeResourceRules } = match
  return {
    ...match,
    ...(resourceRules && { resourceRules: resourceRules.map(withRuleDefaults) }),
    ...(excludeResourceRules && { excludeResourceRules: excludeResourceRules.map(withRuleDefaults) }),
    namespaceSelector: match.namespaceSelector ?? {},
    objectSelector: match.objectSelector ?? {},
    matchPolicy: match.matchPolicy ?? 'Equivalent',
  }
}
