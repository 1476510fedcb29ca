import type { PodSpec } from '../types/core-v1.ts'
import { isSidecar } from './sidecar.ts'

/**
 * Containers that run before all others are not resized, and Kubernetes drops how. Most of what 1.32 leaves switched off stays: a
 * host may be newer, and what goes there is decided, and told, by the policy of the sync.
 */
export function withoutInitResizing(spec: PodSpec): PodSpec {
  const { initContainers } = spec
  if (!initContainers?.some((each) => each.resizePolicy !== undefined && !isSidecar(each))) return spec
  return {
    ...spec,
    initContainers: initContainers.map((each) => {
      if (isSidecar(each)) return each
      const { resizePolicy: _, ...rest } = each
      return rest
    }),
  }
}
