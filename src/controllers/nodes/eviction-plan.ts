import type { Taint, Toleration } from '../../api/types/core-v1.ts'
import { tolerates } from './taints.ts'

/** Pods that do not tolerate it have to leave the node. */
export const noExecute = 'NoExecute'

/**
 * How long a Pod may stay on a node with these taints; undefined: for good. Of several tolerations with a time the shortest
 * counts, and time runs since the newest taint, or since the Pod is there.
 */
export function mayStayMs(
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
  { createdMs, nowMs }: { readonly createdMs: number; readonly nowMs: number },
): number | undefined {
  const evicting = taints.filter(({ effect }) => effect === noExecute)
  if (evicting.length === 0) return undefined
  const used = evicting.map((taint) => tolerations.filter((toleration) => tolerates(toleration, taint)))
  if (used.some((tolerating) => tolerating.length === 0)) return 0
  const seconds = used.flat().flatMap(({ tolerationSeconds }) => tolerationSeconds ?? [])
  if (seconds.length === 0) return undefined
  const added = evicting.map(({ timeAdded }) => (timeAdded === undefined ? nowMs : Date.parse(timeAdded)))
  const sinceMs = Math.max(createdMs, ...added)
  return Math.max(0, sinceMs + Math.max(0, Math.min(...seconds)) * 1000 - nowMs)
}
