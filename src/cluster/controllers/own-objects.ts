import { type KubeObject, parseApiVersion } from '../../api/object.ts'
import { deepEqual } from '../../base/equal.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { WriteRequest } from '../../registry/contract.ts'
import { ensureAmongReplicas } from '../../registry/controllers/ensure-among-replicas.ts'
import { serverRequest } from '../../registry/controllers/system-request.ts'
import type { ObjectRegistry } from '../../registry/registry.ts'
import { editObject } from '../../registry/verbs/edit.ts'

/** Undefined for kinds that this cluster does not serve. */
export function contextFor(
  { engine }: ObjectRegistry,
  { apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>,
): ResourceContext | undefined {
  return engine.find(parseApiVersion(apiVersion).group, kind)
}

export function bootstrapRequest(): WriteRequest {
  return serverRequest('cluster-bootstrap', new AbortController().signal)
}

/** Creates the object, unless one with that name exists. */
export async function ensureOwn(registry: ObjectRegistry, object: KubeObject): Promise<void> {
  const context = contextFor(registry, object)
  if (context !== undefined) await ensureAmongReplicas(context, object, bootstrapRequest())
}

/** An object that exists gets what this one says besides its metadata. */
export async function bringUpToDate(registry: ObjectRegistry, wanted: KubeObject): Promise<void> {
  const context = contextFor(registry, wanted)
  if (context === undefined) return
  await ensureAmongReplicas(context, wanted, bootstrapRequest())
  const { apiVersion, kind, metadata, ...fields } = wanted
  const { namespace = '', name = '' } = metadata
  const isTold = (stored: KubeObject) =>
    Object.entries(fields).every(([field, value]) => deepEqual(stored[field], value))
  const edit = (stored: KubeObject) => (isTold(stored) ? undefined : { ...stored, ...fields })
  await editObject(context, { namespace, name }, edit, bootstrapRequest())
}
