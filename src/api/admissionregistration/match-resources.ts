import { checkSupported } from '../core/field-checks.ts'
import type { FieldError } from '../field-error.ts'
import { validateLabelSelector } from '../selectors/label-selector-object.ts'
import type { MatchResources } from '../types/admissionregistration-v1.ts'
import { validateNamedRules } from './rule-validation.ts'

export const failurePolicies = ['Fail', 'Ignore']
export const matchPolicies = ['Equivalent', 'Exact']

/** What a policy matches. It applies to every request, so an invalid one must not be stored. */
export function validateMatchResources(field: string, resources: MatchResources | undefined): readonly FieldError[] {
  if (resources === undefined) return []
  const { namespaceSelector = {}, objectSelector = {}, resourceRules = [], excludeResourceRules = [] } = resources
  return [
    ...checkSupported(`${field}.matchPolicy`, resources.matchPolicy, matchPolicies),
    ...validateLabelSelector(`${field}.namespaceSelector`, namespaceSelector),
    ...validateLabelSelector(`${field}.objectSelector`, objectSelector),
    ...validateNamedRules(`${field}.resourceRules`, resourceRules),
    ...validateNamedRules(`${field}.excludeResourceRules`, excludeResourceRules),
  ]
}
