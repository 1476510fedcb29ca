import { ApiError } from '../../../api/error.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { KubeClient } from '../../../client/contract.ts'
import { servedTypeOf } from '../objects.ts'
import { type ApplyConflict, resolveConflicts } from './three-way.ts'

/** Owns the fields that it applies, on the server. */
const fieldManager = 'tenant-cli'

export interface Applied {
  readonly object: KubeObject
  readonly kept: readonly ApplyConflict[]
}

/** Server-side apply. `last` is what was applied before. */
export async function applyToHost(
  host: KubeClient,
  wanted: KubeObject,
  last: KubeObject | undefined,
  signal?: AbortSignal,
): Promise<Applied> {
  const type = await servedTypeOf(host, wanted, signal)
  try {
    return { object: await host.apply(type, wanted, { fieldManager }, signal), kept: [] }
  } catch (error) {
    const conflicts = conflictsIn(error)
    if (conflicts.length === 0) throw error
    const { object, kept } = resolveConflicts(wanted, last, conflicts)
    return { object: await host.apply(type, object, { fieldManager, force: true }, signal), kept }
  }
}

function conflictsIn(error: unknown): readonly ApplyConflict[] {
  if (!(error instanceof ApiError) || error.code !== 409) return []
  const causes = error.status.details?.causes ?? []
  return causes
    .filter(({ reason }) => reason === 'FieldManagerConflict')
    .map(({ field = '', message = '' }) => ({ field, message }))
}
