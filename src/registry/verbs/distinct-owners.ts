import { distinctOwners } from '../../api/metadata/owners.ts'
import type { KubeObject } from '../../api/object.ts'
import type { WriteRequest } from '../contract.ts'

/** Drops identical owner references, and warns the caller. */
export function withDistinctOwners(object: KubeObject, request: Pick<WriteRequest, 'warn'>): KubeObject {
  const { metadata, warnings } = distinctOwners(object.metadata)
  for (const text of warnings) request.warn(text)
  return metadata === object.metadata ? object : { ...object, metadata }
}
