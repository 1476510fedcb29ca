import type { Taint, Toleration } from '../../api/types/core-v1.ts'
import { toleratedBy, tolerates } from './taints.ts'

/** Pods that do not tolerate it must leave the node. */
export const noExecute = 'NoExecute'

/**
 * How long a Pod may stay on a node with these taints; undefined: forever. Of several tolerations with a time the
 * shortest counts. The time starts with the newest taint, or with the Pod's creation.
 */
export function mayStayMs(
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
  { createdMs, nowMs }: { readonly createdMs: number; readonly nowMs: number },
): number | undefined {
  const evicting = taints.filter(({ effect }) => effect === noExecute)
  if (evicting.length === 0) return undefined
  const isTolerated = toleratedBy(tolerations)
  if (!evicting.every(isTolerated)) return 0
  const used = tolerations.filter((toleration) => evicting.some((taint) => tolerates(toleration, taint)))
  const seconds = used.flatMap(({ tolerationSeconds }) => tolerationSeconds ?? [])
  if (seconds.length === 0) return undefined
  const added = evicting.map(({ timeAdded }) => (timeAdded === undefined ? nowMs : Date.parse(timeAdded)))
  const sinceMs = Math.max(createdMs, ...added)
  return Math.max(0, sinceMs + Math.max(0, Math.min(...seconds)) * 1000 - nowMs)
}
