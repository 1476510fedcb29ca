import type { KubeObject } from '../../../api/object.ts'
import { refreshAtAnnotation } from './token-times.ts'

/** What is to be done about a Secret with tokens. */
export type TokenPlan =
  | { readonly action: 'refresh' }
  /** It does not belong to a Pod of the host yet, so it would stay when that goes. */
  | { readonly action: 'hand over' }
  /** Nothing before that moment. Absent: nothing more at all. */
  | { readonly action: 'wait'; readonly untilMs?: number }

/** What expires comes first, whatever else is missing. */
export function planTokens({ metadata }: KubeObject, nowMs: number): TokenPlan {
  const dueAtMs = dueAt(metadata.annotations?.[refreshAtAnnotation])
  if (dueAtMs !== undefined && dueAtMs <= nowMs) return { action: 'refresh' }
  if ((metadata.ownerReferences ?? []).length === 0) return { action: 'hand over' }
  return dueAtMs === undefined ? { action: 'wait' } : { action: 'wait', untilMs: dueAtMs }
}

/** Those that expire first come first. */
export function byUrgency(left: KubeObject, right: KubeObject): number {
  const [first, second] = [left, right].map(
    ({ metadata }) => dueAt(metadata.annotations?.[refreshAtAnnotation]) ?? Number.POSITIVE_INFINITY,
  )
  return first === second ? 0 : (first ?? 0) - (second ?? 0)
}

/** Nothing where nothing expires. A time that cannot be read is past. */
function dueAt(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? 0 : ms
}
