import { invalid } from '../../api/error.ts'
import { type FieldError, requiredField } from '../../api/field-error.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import type { AccessKeyScope, TrustedIssuer } from '../../api/types/management.ts'
import { isUnlimited } from '../../auth/scope/grants.ts'
import { validateScope } from '../../auth/scope/validate.ts'
import type { Hooks } from '../../registry/context.ts'

/** Validates the scopes in rules like those of keys, before a machine asks for a key. */
export function withRuleScopes(kind: Kind, hooks: Hooks): Hooks {
  const { admitCreate, admitUpdate } = hooks
  return {
    ...hooks,
    admitCreate: (object, request) => {
      requireScopes(kind, object)
      return admitCreate?.(object, request) ?? { object }
    },
    admitUpdate: (object, old, request) => {
      requireScopes(kind, object)
      return admitUpdate?.(object, old, request) ?? { object }
    },
  }
}

function requireScopes(kind: Kind, object: KubeObject): void {
  const { rules = [] } = (object as TrustedIssuer).spec ?? {}
  const errors = rules.flatMap(({ scope }, index) =>
    scope === undefined ? [] : scopeErrors(scope, `spec.rules[${index}].scope`),
  )
  if (errors.length > 0) throw invalid(kind, object.metadata.name ?? '', errors)
}

/** The maker of a key notices that an empty scope limits nothing; here, every matching machine would get such a key. */
function scopeErrors(scope: AccessKeyScope, field: string): readonly FieldError[] {
  if (isUnlimited(scope))
    return [requiredField(field, 'an empty scope limits nothing; omit it if the key needs no limits')]
  return validateScope(scope, field)
}
