const minuteSeconds = 60
const hourSeconds = 60 * minuteSeconds
const daySeconds = 24 * hourSeconds
const yearSeconds = 365 * daySeconds

/**
 * How `kubectl get` shows a duration: about two significant numbers. Clocks differ a little, so up to two seconds in
 * the future count as now.
 */
export function humanDuration(durationMs: number): string {
  const seconds = Math.trunc(durationMs / 1000)
  if (seconds < -1) return '<invalid>'
  if (seconds < 2 * minuteSeconds) return `${Math.max(seconds, 0)}s`
  if (seconds < 10 * minuteSeconds) return twoUnits(seconds, minuteSeconds, 'm', 1, 's')
  if (seconds < 3 * hourSeconds) return `${Math.trunc(seconds / minuteSeconds)}m`
  if (seconds < 8 * hourSeconds) return twoUnits(seconds, hourSeconds, 'h', minuteSeconds, 'm')
  if (seconds < 2 * daySeconds) return `${Math.trunc(seconds / hourSeconds)}h`
  if (seconds < 8 * daySeconds) return twoUnits(seconds, daySeconds, 'd', hourSeconds, 'h')
  if (seconds < 2 * yearSeconds) return `${Math.trunc(seconds / daySeconds)}d`
  if (seconds < 8 * yearSeconds) return twoUnits(seconds, yearSeconds, 'y', daySeconds, 'd')
  return `${Math.trunc(seconds / yearSeconds)}y`
}

function twoUnits(seconds: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.trunc((seconds % large) / small)
  const whole = `${Math.trunc(seconds / large)}${largeUnit}`
  return rest === 0 ? whole : `${whole}${rest}${smallUnit}`
}
