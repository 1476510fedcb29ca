import type { PodSpec } from '../../types/core-v1.ts'
import { isSidecar } from './sidecar.ts'

/**
 * Init containers are not resized, and Kubernetes drops their resize policy. Most of what 1.32 has disabled stays: a
 * host may be newer, and the policy of the sync decides, and reports, what goes there.
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
