import type { Kind } from '../kind.ts'
import type { Schema } from '../schema.ts'
import { configMap } from './config-map.ts'
import { endpointSlice } from './endpoints/endpoint-slice.ts'
import { endpoints } from './endpoints/endpoints.ts'
import { event } from './events/event.ts'
import { eventsV1Event } from './events/events-v1.ts'
import { lease } from './lease.ts'
import { namespace } from './namespace.ts'
import { node } from './nodes/node.ts'
import { pod } from './pods/pod.ts'
import { clusterRole } from './rbac/cluster-role.ts'
import { clusterRoleBinding } from './rbac/cluster-role-binding.ts'
import { role } from './rbac/role.ts'
import { roleBinding } from './rbac/role-binding.ts'
import { secret } from './secret.ts'
import { serviceAccount } from './service-account.ts'
import { service } from './services/service.ts'

/** Kinds that the platform serves beside its own. */
export function coreKinds(): readonly Kind[] {
  return [
    configMap,
    endpoints,
    event,
    namespace,
    node,
    pod,
    secret,
    serviceAccount,
    service,
    lease,
    endpointSlice,
    eventsV1Event,
    clusterRoleBinding,
    clusterRole,
    roleBinding,
    role,
  ]
}

export function coreSchemaOf(resource: string): Schema | undefined {
  return coreKinds().find(({ plural }) => plural === resource.toLowerCase())?.schema
}
