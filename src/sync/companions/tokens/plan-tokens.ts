import type { KubeObject } from '../../../api/object.ts'
import { refreshAtAnnotation } from './token-times.ts'

/** The next step for a Secret with tokens. */
export type TokenPlan =
  | { readonly action: 'refresh' }
  /** It has no Pod of the host as its owner yet, so it would not be deleted with it. */
  | { readonly action: 'hand over' }
  /** Nothing before this time. Absent: nothing at all. */
  | { readonly action: 'wait'; readonly untilMs?: number }

/** Expired tokens come first, whatever else is missing. */
export function planTokens({ metadata }: KubeObject, nowMs: number): TokenPlan {
  const dueAtMs = dueAt(metadata.annotations?.[refreshAtAnnotation])
  if (dueAtMs !== undefined && dueAtMs <= nowMs) return { action: 'refresh' }
  if ((metadata.ownerReferences ?? []).length === 0) return { action: 'hand over' }
  return dueAtMs === undefined ? { action: 'wait' } : { action: 'wait', untilMs: dueAtMs }
}

/** Orders Secrets by when their tokens expire. */
export function byUrgency(left: KubeObject, right: KubeObject): number {
  const [first, second] = [left, right].map(
    ({ metadata }) => dueAt(metadata.annotations?.[refreshAtAnnotation]) ?? Number.POSITIVE_INFINITY,
  )
  return first === second ? 0 : (first ?? 0) - (second ?? 0)
}

/** Undefined if nothing expires. A time that cannot be parsed counts as past. */
function dueAt(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? 0 : ms
}
