import { type FieldError, invalidField, requiredField, tooManyField } from '../../field-error.ts'
import { validateLabelSelector } from '../../selectors/label-selector-object.ts'
import type { LabelSelector } from '../../types/meta-v1.ts'
import type { ClusterRole } from '../../types/rbac-v1.ts'
import { builtinKind } from '../builtin-kind.ts'
import { createdAtColumn, nameColumn } from '../columns.ts'
import { rbacGroup, validateRules } from './role.ts'

export const clusterRole = builtinKind<ClusterRole>({
  group: rbacGroup,
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
  nameRule: 'path-segment',
  allowsCreateOnUpdate: true,
  hasNullRows: true,
  message: 'k8s.io.api.rbac.v1.ClusterRole',
  columns: [nameColumn, createdAtColumn],
  strategy: {
    validate: ({ rules, aggregationRule }) => [
      ...validateRules(rules ?? [], 'cluster'),
      ...(aggregationRule === undefined ? [] : validateSelectors(aggregationRule.clusterRoleSelectors ?? [])),
    ],
  },
})

/**
 * Labels and expressions of all selectors together: every change of a ClusterRole matches all of them against all
 * roles.
 */
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

/** The last error says that the selector cannot be used, whatever is wrong with it. */
function validateSelector(field: string, selector: LabelSelector): readonly FieldError[] {
  const errors = validateLabelSelector(field, selector)
  return errors.length === 0 ? errors : [...errors, invalidField(field, null, 'invalid label selector.')]
}
