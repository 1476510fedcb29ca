import { type FieldError, invalidField, requiredField } from '../../field-error.ts'
import type { PolicyRule, Role } from '../../types/rbac-v1.ts'
import { builtinKind } from '../builtin-kind.ts'
import { createdAtColumn, nameColumn } from '../columns.ts'

export const rbacGroup = 'rbac.authorization.k8s.io'

export const role = builtinKind<Role>({
  group: rbacGroup,
  version: 'v1',
  kind: 'Role',
  plural: 'roles',
  namespaced: true,
  nameRule: 'path-segment',
  allowsCreateOnUpdate: true,
  hasNullRows: true,
  message: 'k8s.io.api.rbac.v1.Role',
  columns: [nameColumn, createdAtColumn],
  strategy: { validate: ({ rules }) => validateRules(rules ?? [], 'namespace') },
})

export function validateRules(rules: readonly PolicyRule[], scope: 'namespace' | 'cluster'): readonly FieldError[] {
  return rules.flatMap((rule, index) => validateRule(`rules[${index}]`, rule, scope))
}

function validateRule(field: string, rule: PolicyRule, scope: 'namespace' | 'cluster'): readonly FieldError[] {
  const { nonResourceURLs = [] } = rule
  return [
    ...(rule.verbs === null || rule.verbs.length === 0
      ? [requiredField(`${field}.verbs`, 'verbs must contain at least one value')]
      : []),
    ...(nonResourceURLs.length > 0
      ? validatePathRule(`${field}.nonResourceURLs`, rule, scope)
      : validateResourceRule(field, rule)),
  ]
}

function validatePathRule(field: string, rule: PolicyRule, scope: 'namespace' | 'cluster'): readonly FieldError[] {
  const { nonResourceURLs = [], apiGroups = [], resources = [], resourceNames = [] } = rule
  const isMixed = apiGroups.length + resources.length + resourceNames.length > 0
  return [
    ...(scope === 'namespace'
      ? [invalidField(field, nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs')]
      : []),
    ...(isMixed
      ? [invalidField(field, nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs')]
      : []),
  ]
}

function validateResourceRule(field: string, { apiGroups = [], resources = [] }: PolicyRule): readonly FieldError[] {
  return [
    ...(apiGroups.length === 0
      ? [requiredField(`${field}.apiGroups`, 'resource rules must supply at least one api group')]
      : []),
    ...(resources.length === 0
      ? [requiredField(`${field}.resources`, 'resource rules must supply at least one resource')]
      : []),
  ]
}
