import { service } from '../../api/core/services/service.ts'
import { withKeptAllocations, withoutAllocations } from '../../api/core/services/service-allocation.ts'
import { validateServiceUpdate } from '../../api/core/services/service-update-validation.ts'
import { invalid } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Service } from '../../api/types/core-v1.ts'
import type { Hooks } from '../context.ts'

/** Services whose addresses are assigned elsewhere may get new ones: the hooks below decide who may set them. */
export const serviceWithFollowedAddresses: Kind = {
  ...service,
  get schema() {
    return service.schema
  },
  strategy: { ...service.strategy, validateUpdate: () => [] },
}

/**
 * Another cluster assigns addresses and node ports, and one user fills them in, so a Service starts without them. For
 * all other users they are immutable as usual.
 */
export function followedAddressHooks(filledInBy: string, own: Hooks): Hooks {
  return {
    admitCreate: (object, request) =>
      isApiItself(object)
        ? (own.admitCreate?.(object, request) ?? { object })
        : { object: withoutAllocations(asService(object)) },
    admitUpdate: (object, old, request) => {
      if (request.user.name === filledInBy || request.subresource === 'status') return { object }
      refuseChanges(object, old.object)
      return { object: isApiItself(object) ? object : withAssignedOnly(object, old.object) }
    },
    ...(own.abandon && { abandon: own.abandon }),
    ...(own.removed && { removed: own.removed }),
  }
}

/** Keeps assigned values, and drops any that a user wrote. */
function withAssignedOnly(object: KubeObject, old: KubeObject): Service {
  return withKeptAllocations(withoutAllocations(asService(object)), asService(old))
}

function refuseChanges(object: KubeObject, old: KubeObject): void {
  const errors = validateServiceUpdate(asService(object), asService(old))
  if (errors.length > 0) throw invalid(service, object.metadata.name ?? '', errors)
}

/** The address of the API's Service belongs to this cluster. */
function isApiItself({ metadata }: KubeObject): boolean {
  return metadata.namespace === 'default' && metadata.name === 'kubernetes'
}

/** The verbs pass only Services to these hooks. */
function asService(object: KubeObject): Service {
  return object as Service
}
