import type { Pod } from '../../../api/types/core-v1.ts'
import { withoutDebuggers } from './debugging.ts'
import { namedIn } from './pod-spec.ts'

/**
 * The names in a Pod, of its parts and of other objects, for as long as it is there. Containers for debugging come later. Copies note a
 * hash of it: a version that names more, or in another order, would believe none of the Pods that run, and has to note it anew.
 */
export function namesWithin(pod: Pod): unknown {
  const spec = withoutDebuggers(pod.spec)
  const { containers, initContainers, volumes } = spec
  const parts = [containers, initContainers, volumes].map((list) => (list ?? []).map(({ name }) => name))
  return [...parts, namedIn({ ...pod, spec }).map(({ kind, name }) => `${kind}/${name}`)]
}
