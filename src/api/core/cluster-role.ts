import { type FieldError, forbiddenField, invalidField, requiredField, tooManyField } from '../field-error.ts'
import { validateLabelValue } from '../names.ts'
import type { LabelSelector, LabelSelectorRequirement } from '../types/meta-v1.ts'
import type { ClusterRole } from '../types/rbac-v1.ts'
import { builtinKind } from './builtin-kind.ts'
import { createdAtColumn, nameColumn } from './columns.ts'
import { checkEach, checkLabels, checkQualifiedName } from './field-checks.ts'
import { rbacGroup, validateRules } from './role.ts'

export const clusterRole = builtinKind<ClusterRole>({
  group: rbacGroup,
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
  nameRule: 'path-segment',
  allowsCreateOnUpdate: true,
  message: 'k8s.io.api.rbac.v1.ClusterRole',
  columns: [nameColumn, createdAtColumn],
  strategy: {
    validate: ({ rules, aggregationRule }) => [
      ...validateRules(rules ?? [], 'cluster'),
      ...(aggregationRule === undefined ? [] : validateSelectors(aggregationRule.clusterRoleSelectors ?? [])),
    ],
  },
})

/** Labels and expressions of all selectors together: every change of a ClusterRole holds all of them against all roles. */
const mostTerms = 100

function validateSelectors(selectors: readonly LabelSelector[]): readonly FieldError[] {
  const field = 'aggregationRule.clusterRoleSelectors'
  if (selectors.length === 0) {
    return [requiredField(field, 'at least one clusterRoleSelector required if aggregationRule is non-nil')]
  }
  const terms = selectors.reduce((sum, each) => sum + Math.max(termsOf(each), 1), 0)
  if (terms > mostTerms) return [tooManyField(field, terms, mostTerms)]
  return selectors.flatMap((each, index) => validateSelector(`${field}[${index}]`, each))
}

function termsOf({ matchLabels = {}, matchExpressions = [] }: LabelSelector): number {
  return Object.keys(matchLabels).length + matchExpressions.length
}

function validateSelector(field: string, { matchLabels, matchExpressions = [] }: LabelSelector): readonly FieldError[] {
  return [
    ...checkLabels(`${field}.matchLabels`, matchLabels),
    ...matchExpressions.flatMap((each, index) => validateRequirement(`${field}.matchExpressions[${index}]`, each)),
  ]
}

function validateRequirement(field: string, requirement: LabelSelectorRequirement): readonly FieldError[] {
  const { key, operator, values = [] } = requirement
  return [
    ...validateOperator(field, operator, values),
    ...checkQualifiedName(`${field}.key`, key),
    ...values.flatMap((each, index) => checkEach(`${field}.values[${index}]`, each, validateLabelValue(each))),
  ]
}

function validateOperator(field: string, operator: string, values: readonly string[]): readonly FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0
        ? []
        : [requiredField(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")]
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
        ? []
        : [forbiddenField(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
    default:
      return [invalidField(`${field}.operator`, operator, 'not a valid selector operator')]
  }
}
