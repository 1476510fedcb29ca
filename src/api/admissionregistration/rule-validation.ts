import { repeated } from '../core/repeated.ts'
import {
  duplicateField,
  type FieldError,
  invalidField,
  invalidFieldAs,
  notSupportedField,
  requiredField,
} from '../field-error.ts'
import { quoted } from '../human/go-syntax.ts'
import { shortened } from '../human/shortened.ts'
import { validatePathSegment } from '../names.ts'
import type { NamedRuleWithOperations, RuleWithOperations } from '../types/admissionregistration-v1.ts'
import { validateRuleResources } from './rule-resources.ts'

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']
const scopes = ['*', 'Cluster', 'Namespaced']

export function validateWebhookRules(field: string, rules: readonly RuleWithOperations[]): readonly FieldError[] {
  return rules.flatMap((rule, index) => validateRule(`${field}[${index}]`, rule))
}

/** Rules of policies may also name objects. */
export function validateNamedRules(field: string, rules: readonly NamedRuleWithOperations[]): readonly FieldError[] {
  return rules.flatMap((rule, index) => [
    ...validateNames(`${field}[${index}].resourceNames`, rule.resourceNames ?? []),
    ...validateRule(`${field}[${index}]`, rule),
  ])
}

function validateNames(field: string, names: readonly string[]): readonly FieldError[] {
  const isTaken = repeated(names)
  return names.flatMap((name, index) => [
    ...validatePathSegment(name).map((problem) => invalidField(`${field}[${index}]`, name, problem)),
    ...(isTaken[index] ? [duplicateField(`${field}[${index}]`, name)] : []),
  ])
}

function validateRule(field: string, rule: RuleWithOperations): readonly FieldError[] {
  const { apiGroups = [], apiVersions = [] } = rule
  return [
    ...validateOperations(`${field}.operations`, rule.operations ?? []),
    ...validateList(`${field}.apiGroups`, apiGroups, 'API groups'),
    ...validateList(`${field}.apiVersions`, apiVersions, 'API versions'),
    ...apiVersions.flatMap((version, index) =>
      version === '' ? [requiredField(`${field}.apiVersions[${index}]`)] : [],
    ),
    ...validateRuleResources(`${field}.resources`, rule.resources ?? []),
    ...(rule.scope === undefined || scopes.includes(rule.scope)
      ? []
      : [notSupportedField(`${field}.scope`, rule.scope, scopes)]),
  ]
}

function validateOperations(field: string, given: readonly string[]): readonly FieldError[] {
  const printed = shortened(`[]admissionregistration.OperationType{${given.map(quoted).join(', ')}}`)
  return [
    ...(given.length === 0 ? [requiredField(field)] : []),
    ...(isNotAlone(given) ? [invalidFieldAs(field, printed, besideStar('operations'))] : []),
    ...given.flatMap((operation, index) =>
      operations.includes(operation) ? [] : [notSupportedField(`${field}[${index}]`, operation, operations)],
    ),
  ]
}

function validateList(field: string, items: readonly string[], what: string): readonly FieldError[] {
  if (items.length === 0) return [requiredField(field)]
  return isNotAlone(items) ? [invalidField(field, items, besideStar(what))] : []
}

/** A wildcard must be the only item. */
function isNotAlone(items: readonly string[]): boolean {
  return items.length > 1 && items.includes('*')
}

function besideStar(what: string): string {
  return `if '*' is present, must not specify other ${what}`
}
