import { humanDuration } from './duration.ts'

/** The age from a timestamp, as `kubectl get` shows it. */
export function formatAge(timestamp: string | null | undefined, nowMs: number): string {
  const epochMs = epochOf(timestamp)
  return epochMs === undefined ? '<unknown>' : humanDuration(nowMs - epochMs)
}

/** How far a time is from now, in either direction. */
export function formatMoment(timestamp: string | null | undefined, nowMs: number): string {
  const epochMs = epochOf(timestamp)
  if (epochMs === undefined) return 'never'
  return epochMs > nowMs ? `in ${humanDuration(roundedUp(epochMs - nowMs))}` : `${humanDuration(nowMs - epochMs)} ago`
}

/** A key issued for 30 days shows 30 days, not 29, right after it was issued. */
function roundedUp(leftMs: number): number {
  return leftMs < 3_600_000 ? leftMs : leftMs + 30_000
}

function epochOf(timestamp: string | null | undefined): number | undefined {
  const epochMs = timestamp ? Date.parse(timestamp) : Number.NaN
  return Number.isNaN(epochMs) ? undefined : epochMs
}
