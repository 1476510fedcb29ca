/** How many milliseconds the clocks of a zone are ahead of UTC. */
export type ZoneOffset = (atMs: number) => number

/** A few hundred zones are in use; names may be written in many ways. */
const mostRemembered = 500
const formats = new Map<string, Intl.DateTimeFormat>()

/** Undefined for an unknown zone. */
export function zoneOffset(zone: string | undefined): ZoneOffset | undefined {
  if (zone === undefined || zone === 'UTC' || zone === 'Etc/UTC') return () => 0
  const format = formatOf(zone)
  return format && ((atMs) => clockAt(format, atMs) - Math.floor(atMs / 1000) * 1000)
}

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = newFormat(zone)
  if (format === undefined) return undefined
  if (formats.size >= mostRemembered) formats.clear()
  formats.set(zone, format)
  return format
}

function newFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  const fields = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  } as const
  try {
    return new Intl.DateTimeFormat('en-US', { ...fields, timeZone, hourCycle: 'h23' })
  } catch {
    return undefined
  }
}

/** The local time in the zone, as if it were UTC. */
function clockAt(format: Intl.DateTimeFormat, atMs: number): number {
  const shown = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]))
  const part = (type: Intl.DateTimeFormatPartTypes) => shown.get(type) ?? 0
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
}
