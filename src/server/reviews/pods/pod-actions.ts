import type { ReviewResource } from '../contract.ts'
import { namedBinding, podBinding } from './binding.ts'
import { podEviction } from './eviction.ts'
import type { PodParts } from './pod-request.ts'

/** Actions on a pod that are requested by creating a subresource, in the order of discovery. */
export function podActions(parts: PodParts): readonly ReviewResource[] {
  return [namedBinding(parts), podBinding(parts), podEviction(parts)]
}
