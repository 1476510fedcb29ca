import { humanDuration } from './duration.ts'

/** The age of something, from its timestamp, as `kubectl get` shows it. */
export function formatAge(timestamp: string | null | undefined, nowMs: number): string {
  const epochMs = epochOf(timestamp)
  return epochMs === undefined ? '<unknown>' : humanDuration(nowMs - epochMs)
}

/** How far away a moment is, on either side of now. */
export function formatMoment(timestamp: string | null | undefined, nowMs: number): string {
  const epochMs = epochOf(timestamp)
  if (epochMs === undefined) return 'never'
  return epochMs > nowMs ? `in ${humanDuration(epochMs - nowMs)}` : `${humanDuration(nowMs - epochMs)} ago`
}

function epochOf(timestamp: string | null | undefined): number | undefined {
  const epochMs = timestamp ? Date.parse(timestamp) : Number.NaN
  return Number.isNaN(epochMs) ? undefined : epochMs
}
