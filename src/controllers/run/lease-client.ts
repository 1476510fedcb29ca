import { notFound } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { LeaseClient } from '../../client/lease/contract.ts'
import type { ResourceContext } from '../../registry/context.ts'
import { systemRequest } from '../../registry/controllers/system-request.ts'
import { caughtUp } from '../../registry/freshness.ts'
import { createObject } from '../../registry/verbs/create.ts'
import { updateObject } from '../../registry/verbs/update.ts'

/** Leases of this server itself, without a connection. */
export function ownLeases(leases: ResourceContext, manager: string): LeaseClient {
  const request = (signal = new AbortController().signal) => systemRequest(manager, signal)
  const body = (object: KubeObject) => ({ value: object, duplicateFields: [], text: '' })
  return {
    get: async (_type, { namespace, name }) => {
      await caughtUp(leases.engine)
      const found = leases.cache.get({ namespace, name })
      if (found === undefined) throw notFound(leases.kind, name)
      return found.object
    },
    create: async (_type, object, signal) => {
      const { namespace = '' } = object.metadata
      return (await createObject(leases, { namespace }, body(object), request(signal))).document.object
    },
    update: async (_type, object, signal) => {
      const { namespace = '', name = '' } = object.metadata
      return (await updateObject(leases, { namespace, name }, body(object), request(signal))).document.object
    },
  }
}
