import { service } from '../../api/core/services/service.ts'
import { withKeptAllocations, withoutAllocations } from '../../api/core/services/service-allocation.ts'
import { validateServiceUpdate } from '../../api/core/services/service-update-validation.ts'
import { invalid } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Service } from '../../api/types/core-v1.ts'
import type { Hooks } from '../context.ts'
import type { WriteRequest } from '../contract.ts'
import { lacksAddress, withAssignedAddress } from './assigned-address.ts'

/** Services whose addresses are assigned elsewhere may get new ones: the hooks below decide who may set them. */
export const serviceWithFollowedAddresses: Kind = {
  ...service,
  get schema() {
    return service.schema
  },
  strategy: { ...service.strategy, validateUpdate: () => [] },
}

/**
 * Another cluster assigns addresses and node ports, and one user fills them in, so a Service starts without them, and
 * the response to its writer waits for them. For all other users they are immutable as usual.
 */
export function followedAddressHooks(filledInBy: string, own: Hooks, areAssigned: () => boolean): Hooks {
  return {
    settle: (context, written, { user, isInternal, signal }) => {
      if (user.name === filledInBy || isInternal || !lacksAddress(written.object) || !areAssigned()) return undefined
      return withAssignedAddress(context, written, signal)
    },
    admitCreate: (object, request) =>
      isApiItself(object)
        ? (own.admitCreate?.(object, request) ?? { object })
        : { object: telling(asService(object), withoutAllocations(asService(object)), request) },
    admitUpdate: (object, old, request) => {
      if (request.user.name === filledInBy || request.subresource === 'status') return { object }
      refuseChanges(object, old.object)
      if (isApiItself(object)) return { object }
      return { object: telling(asService(object), withAssignedOnly(object, old.object), request) }
    },
    ...(own.abandon && { abandon: own.abandon }),
    ...(own.removed && { removed: own.removed }),
  }
}

/** Keeps assigned values, and drops any that a user wrote. */
function withAssignedOnly(object: KubeObject, old: KubeObject): Service {
  return withKeptAllocations(withoutAllocations(asService(object)), asService(old))
}

/** Tells the writer which values are left out: the answer alone shows it, and few people read it. */
function telling(asked: Service, kept: Service, { warn }: WriteRequest): Service {
  const isLeftOut = (field: 'clusterIP' | 'healthCheckNodePort') =>
    Boolean(asked.spec[field]) && asked.spec[field] !== kept.spec[field]
  const leftOut = [
    ...(['clusterIP', 'healthCheckNodePort'] as const).filter(isLeftOut).map((field) => `spec.${field}`),
    ...(asked.spec.ports ?? []).flatMap(({ nodePort }, index) =>
      nodePort && nodePort !== kept.spec.ports?.[index]?.nodePort ? [`spec.ports[${index}].nodePort`] : [],
    ),
  ]
  if (leftOut.length > 0) warn(`left out, since the host assigns the value: ${leftOut.join(', ')}`)
  return kept
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
