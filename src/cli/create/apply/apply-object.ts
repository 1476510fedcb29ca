import { ApiError } from '../../../api/error.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { KubeClient, ResourceType } from '../../../client/contract.ts'
import { type Conflict, resolveConflicts } from './three-way.ts'

/** Owns the fields that it applies, on the server. */
export const fieldManager = 'tenant-cli'

export interface Applied {
  readonly object: KubeObject
  readonly kept: readonly Conflict[]
}

/** Server-side apply. `last` is what was applied the time before. */
export async function applyObject(
  host: KubeClient,
  wanted: KubeObject,
  last: KubeObject | undefined,
  signal?: AbortSignal,
): Promise<Applied> {
  const type = await typeOf(host, wanted, signal)
  try {
    return { object: await host.apply(type, wanted, { fieldManager }, signal), kept: [] }
  } catch (error) {
    const conflicts = conflictsIn(error)
    if (conflicts.length === 0) throw error
    const { object, kept } = resolveConflicts(wanted, last, conflicts)
    return { object: await host.apply(type, object, { fieldManager, force: true }, signal), kept }
  }
}

export async function typeOf(
  host: KubeClient,
  { apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>,
  signal?: AbortSignal,
): Promise<ResourceType> {
  const type = await host.served.findKind(apiVersion, kind, signal)
  if (type !== undefined) return type
  throw new Error(`${host.origin} serves no ${kind} of ${apiVersion}; is it a Kubernetes cluster that runs workloads?`)
}

export function keyOf({ metadata }: KubeObject): { readonly namespace: string; readonly name: string } {
  return { namespace: metadata.namespace ?? '', name: metadata.name ?? '' }
}

/** What is at a place; nothing if there is nothing. */
export async function existing(
  host: KubeClient,
  wanted: KubeObject,
  signal?: AbortSignal,
): Promise<KubeObject | undefined> {
  try {
    return await host.get(await typeOf(host, wanted, signal), keyOf(wanted), signal)
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return undefined
    throw error
  }
}

function conflictsIn(error: unknown): readonly Conflict[] {
  if (!(error instanceof ApiError) || error.code !== 409) return []
  const causes = error.status.details?.causes ?? []
  return causes
    .filter(({ reason }) => reason === 'FieldManagerConflict')
    .map(({ field = '', message = '' }) => ({ field, message }))
}
