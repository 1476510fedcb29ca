import type { Kind } from '../kind.ts'
import type { Schema } from '../schema.ts'
import { clusterRole } from './cluster-role.ts'
import { clusterRoleBinding } from './cluster-role-binding.ts'
import { configMap } from './config-map.ts'
import { endpointSlice } from './endpoint-slice.ts'
import { endpoints } from './endpoints.ts'
import { event } from './event.ts'
import { eventsV1Event } from './events-v1.ts'
import { lease } from './lease.ts'
import { namespace } from './namespace.ts'
import { node } from './node.ts'
import { pod } from './pod.ts'
import { role } from './role.ts'
import { roleBinding } from './role-binding.ts'
import { secret } from './secret.ts'
import { service } from './service.ts'
import { serviceAccount } from './service-account.ts'

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
