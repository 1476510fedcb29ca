import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, column, integerColumn, nameColumn } from '../core/columns.ts'
import { checkNotNegative } from '../core/field-checks.ts'
import { checkAtMostWhole, checkIntOrPercent } from '../core/int-or-percent.ts'
import { type FieldError, invalidField, notSupportedField } from '../field-error.ts'
import { validateMetaConditions } from '../metadata/conditions.ts'
import { validateLabelSelector } from '../selectors/label-selector-object.ts'
import type { PodDisruptionBudget, PodDisruptionBudgetSpec, PodDisruptionBudgetStatus } from '../types/policy-v1.ts'

const evictionPolicies = ['AlwaysAllow', 'IfHealthyBudget']

export const podDisruptionBudget = builtinKind<PodDisruptionBudget>({
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  shortNames: ['pdb'],
  namespaced: true,
  nameRule: 'path-segment',
  hasStatus: true,
  hasGeneration: true,
  allowsUnconditionalUpdate: false,
  message: 'k8s.io.api.policy.v1.PodDisruptionBudget',
  columns: [
    nameColumn,
    column('Min Available', 'Pods that must remain available.', ({ spec }) => String(spec.minAvailable ?? 'N/A')),
    column('Max Unavailable', 'Pods that may be unavailable.', ({ spec }) => String(spec.maxUnavailable ?? 'N/A')),
    integerColumn('Allowed Disruptions', 'Pods that may be evicted now.', ({ status }) => status.disruptionsAllowed),
    ageColumn,
  ],
  strategy: {
    validate: ({ spec }) => validateSpec(spec),
    validateStatusUpdate: ({ status }) => validateStatus(status),
  },
})

function validateStatus(status: PodDisruptionBudgetStatus): readonly FieldError[] {
  const counts = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const
  return [
    ...validateMetaConditions('status.conditions', status.conditions ?? []),
    ...counts.flatMap((member) => checkNotNegative(`status.${member}`, status[member])),
  ]
}

function validateSpec(spec: PodDisruptionBudgetSpec): readonly FieldError[] {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec
  return [
    ...(minAvailable !== undefined && maxUnavailable !== undefined
      ? [invalidField('spec', spec, 'minAvailable and maxUnavailable cannot be both set')]
      : []),
    ...checkIntOrPercent('spec.minAvailable', minAvailable),
    ...checkAtMostWhole('spec.minAvailable', minAvailable),
    ...checkIntOrPercent('spec.maxUnavailable', maxUnavailable),
    ...checkAtMostWhole('spec.maxUnavailable', maxUnavailable),
    ...(policy === undefined || evictionPolicies.includes(policy)
      ? []
      : [notSupportedField('spec.unhealthyPodEvictionPolicy', policy, evictionPolicies)]),
    ...(selector === undefined ? [] : validateLabelSelector('spec.selector', selector)),
  ]
}
