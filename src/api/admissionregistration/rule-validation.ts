import { type FieldError, invalidField, notSupportedField, requiredField } from '../field-error.ts'
import type { RuleWithOperations } from '../types/admissionregistration-v1.ts'

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']
const scopes = ['*', 'Cluster', 'Namespaced']

export function validateWebhookRules(field: string, rules: readonly RuleWithOperations[]): readonly FieldError[] {
  return rules.flatMap((rule, index) => validateRule(`${field}[${index}]`, rule))
}

function validateRule(field: string, rule: RuleWithOperations): readonly FieldError[] {
  const given = rule.operations ?? []
  return [
    ...(given.length === 0 ? [requiredField(`${field}.operations`)] : []),
    ...checkAloneStar(`${field}.operations`, given, 'operations'),
    ...given.flatMap((operation, index) =>
      operations.includes(operation) ? [] : [notSupportedField(`${field}.operations[${index}]`, operation, operations)],
    ),
    ...validateList(`${field}.apiGroups`, rule.apiGroups ?? [], 'apiGroups'),
    ...validateList(`${field}.apiVersions`, rule.apiVersions ?? [], 'apiVersions'),
    ...(rule.resources?.length ? [] : [requiredField(`${field}.resources`)]),
    ...(rule.scope === undefined || scopes.includes(rule.scope)
      ? []
      : [notSupportedField(`${field}.scope`, rule.scope, scopes)]),
  ]
}

function validateList(field: string, items: readonly string[], name: string): readonly FieldError[] {
  return [...(items.length === 0 ? [requiredField(field)] : []), ...checkAloneStar(field, items, name)]
}

/** A rule that means everything names nothing else. */
function checkAloneStar(field: string, items: readonly string[], name: string): readonly FieldError[] {
  if (items.length < 2 || !items.includes('*')) return []
  const what = name === 'apiGroups' ? 'API Groups' : name === 'apiVersions' ? 'API Versions' : name
  return [invalidField(field, items, `if '*' is present, must not specify other ${what}`)]
}
