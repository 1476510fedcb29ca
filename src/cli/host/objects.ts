import { isRefusal } from '../../api/error.ts'
import { type KubeObject, objectKeyOf } from '../../api/object.ts'
import type { KubeClient, ResourceType } from '../../client/contract.ts'

export async function servedTypeOf(
  host: KubeClient,
  { apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>,
  signal?: AbortSignal,
): Promise<ResourceType> {
  const type = await host.served.findKind(apiVersion, kind, signal)
  if (type !== undefined) return type
  throw new Error(`${host.origin} serves no ${kind} of ${apiVersion}; is it a Kubernetes cluster that runs workloads?`)
}

/** The existing object; undefined if there is none. */
export async function existing(
  host: KubeClient,
  wanted: KubeObject,
  signal?: AbortSignal,
): Promise<KubeObject | undefined> {
  try {
    return await host.get(await servedTypeOf(host, wanted, signal), objectKeyOf(wanted), signal)
  } catch (error) {
    if (isRefusal(error, 404)) return undefined
    throw error
  }
}
