import { invalid } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import type { TrustedIssuer } from '../../api/types/management.ts'
import { validateScope } from '../../auth/scope/validate.ts'
import type { Hooks } from '../../registry/context.ts'

/** The scopes that rules give are held to what those of keys are, before a machine comes for one. */
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
    scope === undefined ? [] : validateScope(scope, `spec.rules[${index}].scope`),
  )
  if (errors.length > 0) throw invalid(kind, object.metadata.name ?? '', errors)
}
