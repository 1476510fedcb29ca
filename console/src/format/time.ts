const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** `45 s`, `12 min`, `5 h`, `3 days`: one unit is enough for an estimate. */
export function spanText(ms: number): string {
  const span = Math.abs(ms)
  if (span < minuteMs) return `${Math.floor(span / 1000)} s`
  if (span < hourMs) return `${Math.floor(span / minuteMs)} min`
  if (span < 2 * dayMs) return `${Math.floor(span / hourMs)} h`
  return `${Math.floor(span / dayMs)} days`
}

export function agoText(ms: number | undefined, nowMs: number): string {
  if (ms === undefined) return 'never'
  const age = nowMs - ms
  return age < 5_000 ? 'just now' : `${spanText(age)} ago`
}

export function untilText(ms: number | undefined, nowMs: number): string {
  if (ms === undefined) return 'never'
  return ms <= nowMs ? `${spanText(nowMs - ms)} ago` : `in ${spanText(ms - nowMs)}`
}

export function timeOf(text: string | null | undefined): number | undefined {
  const ms = text === undefined || text === null ? Number.NaN : Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

export function exactTime(ms: number): string {
  return exact.format(ms)
}

/** `90 days`, `1 day 12 hours`: for a lifetime that the user chose. */
export function durationText(seconds: number): string {
  const parts: readonly (readonly [number, string])[] = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ]
  const words: string[] = []
  let rest = seconds
  for (const [size, unit] of parts) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) words.push(`${count} ${unit}${count === 1 ? '' : 's'}`)
  }
  return words.slice(0, 2).join(' ') || '0 seconds'
}
