import type { Pod } from '../../../api/types/core-v1.ts'
import { withoutDebuggers } from './debugging.ts'
import { namedIn } from './pod-spec.ts'

/**
 * The names in a Pod, of its parts and of other objects, which are fixed while it exists. Ephemeral containers come
 * later and are excluded. Copies note a hash of them: a version that lists more names, or in another order, would trust
 * none of the running Pods, and must note the hash anew.
 */
export function namesWithin(pod: Pod): unknown {
  const spec = withoutDebuggers(pod.spec)
  const { containers, initContainers, volumes } = spec
  const parts = [containers, initContainers, volumes].map((list) => (list ?? []).map(({ name }) => name))
  return [...parts, namedIn({ ...pod, spec }).map(({ kind, name }) => `${kind}/${name}`)]
}
