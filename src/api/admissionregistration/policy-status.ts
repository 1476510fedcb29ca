import { type FieldError, requiredField } from '../field-error.ts'
import { validateMetaConditions } from '../metadata/conditions.ts'
import type { ExpressionWarning, ValidatingAdmissionPolicy } from '../types/admissionregistration-v1.ts'

/** The reports about the types in a policy, and about the policy as a whole. */
export function validatePolicyStatus({ status }: ValidatingAdmissionPolicy): readonly FieldError[] {
  const { typeChecking, conditions = [] } = status
  return [
    ...(typeChecking?.expressionWarnings ?? []).flatMap((each, index) =>
      validateWarning(`status.typeChecking.expressionWarnings[${index}]`, each),
    ),
    ...validateMetaConditions('status.conditions', conditions),
  ]
}

function validateWarning(field: string, { warning, fieldRef }: ExpressionWarning): readonly FieldError[] {
  return [
    ...(warning === '' ? [requiredField(`${field}.warning`)] : []),
    ...(fieldRef.trim() === '' ? [requiredField(`${field}.fieldRef`)] : []),
  ]
}
