import type { KubeObject } from '../../../api/object.ts'
import { issuedAtAnnotation, refreshAtAnnotation } from './token-times.ts'

/** The next step for a Secret with tokens. */
export type TokenPlan =
  | { readonly action: 'refresh' }
  /** It has no Pod of the host as its owner yet, so it would not be deleted with it. */
  | { readonly action: 'hand over' }
  /** Nothing before this time. Absent: nothing at all. */
  | { readonly action: 'wait'; readonly untilMs?: number }

/** API servers accept a token this long before it begins. */
const leewayMs = 60_000

/**
 * Expired tokens come first, whatever else is missing, and so do those from a time that has not come: the clock was set
 * back, and servers do not accept them yet.
 */
export function planTokens({ metadata }: KubeObject, nowMs: number): TokenPlan {
  const dueAtMs = timeIn(metadata.annotations?.[refreshAtAnnotation])
  if (dueAtMs !== undefined && dueAtMs <= nowMs) return { action: 'refresh' }
  const issuedAtMs = timeIn(metadata.annotations?.[issuedAtAnnotation])
  if (issuedAtMs !== undefined && issuedAtMs > nowMs + leewayMs) return { action: 'refresh' }
  if ((metadata.ownerReferences ?? []).length === 0) return { action: 'hand over' }
  return dueAtMs === undefined ? { action: 'wait' } : { action: 'wait', untilMs: dueAtMs }
}

/** Orders Secrets by when their tokens expire. */
export function byUrgency(left: KubeObject, right: KubeObject): number {
  const [first, second] = [left, right].map(
    ({ metadata }) => timeIn(metadata.annotations?.[refreshAtAnnotation]) ?? Number.POSITIVE_INFINITY,
  )
  return first === second ? 0 : (first ?? 0) - (second ?? 0)
}

/** Undefined if it is not noted. A time that cannot be parsed counts as past. */
function timeIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? 0 : ms
}
