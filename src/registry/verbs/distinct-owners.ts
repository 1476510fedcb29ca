import { distinctOwners } from '../../api/metadata/owners.ts'
import type { KubeObject } from '../../api/object.ts'
import type { WriteRequest } from '../contract.ts'

/** An owner named twice in every detail counts once; the caller is told. */
export function withDistinctOwners(object: KubeObject, request: Pick<WriteRequest, 'warn'>): KubeObject {
  const { metadata, warnings } = distinctOwners(object.metadata)
  for (const text of warnings) request.warn(text)
  return metadata === object.metadata ? object : { ...object, metadata }
}
