import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, column, integerColumn, nameColumn } from '../core/columns.ts'
import { ownMetadata } from '../kind.ts'
import type { ValidatingAdmissionPolicy } from '../types/admissionregistration-v1.ts'
import { validatePolicyStatus } from './policy-status.ts'
import { validatePolicy } from './policy-validation.ts'
import { withMatchDefaults } from './rule-defaults.ts'

/** Expressions that requests must satisfy, where a binding puts them into effect. */
export const validatingAdmissionPolicy = builtinKind<ValidatingAdmissionPolicy>({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingAdmissionPolicy',
  plural: 'validatingadmissionpolicies',
  categories: ['api-extensions'],
  namespaced: false,
  allowsUnconditionalUpdate: false,
  hasStatus: true,
  statusKeeps: ownMetadata,
  hasGeneration: true,
  message: 'k8s.io.api.admissionregistration.v1.ValidatingAdmissionPolicy',
  columns: [
    nameColumn,
    integerColumn('Validations', 'Number of validations.', ({ spec }) => (spec.validations ?? []).length),
    column('ParamKind', 'Kind of the parameters.', ({ spec }) =>
      spec.paramKind === undefined ? '<unset>' : `${spec.paramKind.apiVersion}/${spec.paramKind.kind}`,
    ),
    ageColumn,
  ],
  strategy: { defaults: withDefaults, validate: validatePolicy, validateStatusUpdate: validatePolicyStatus },
})

function withDefaults(object: ValidatingAdmissionPolicy): ValidatingAdmissionPolicy {
  const { spec } = object
  return {
    ...object,
    spec: {
      ...spec,
      failurePolicy: spec.failurePolicy ?? 'Fail',
      ...(spec.matchConstraints && { matchConstraints: withMatchDefaults(spec.matchConstraints) }),
    },
  }
}
