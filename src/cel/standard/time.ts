import type { Meter } from '../meter.ts'
import { type CelResult, failure } from '../value.ts'
import { checkedDuration, checkedTimestamp } from './arithmetic.ts'

const perSecond = 1_000_000_000n

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/

/** Undefined if the text is not a time. */
export function celTimestamp(text: string): CelResult | undefined {
  if (text.length > 64) return undefined
  const [found, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = rfc3339.exec(text) ?? []
  if (found === undefined) return undefined
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  const isDay = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
  if (!isDay || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const offset = zoneSeconds(zone)
  if (offset === undefined) return undefined
  const seconds = date.getTime() / 1000 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offset
  return checkedTimestamp(BigInt(seconds) * perSecond + BigInt(fraction.slice(0, 9).padEnd(9, '0')))
}

function zoneSeconds(zone: string): number | undefined {
  if (zone === 'Z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(4))
  if (hours > 24 || minutes > 59) return undefined
  return (zone.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60)
}

export function printTimestamp(nanoseconds: bigint): string {
  const { date, rest } = dateOf(nanoseconds)
  const fraction = rest === 0n ? '' : `.${rest.toString().padStart(9, '0').replace(/0+$/, '')}`
  return `${date.toISOString().slice(0, 19)}${fraction}Z`
}

function dateOf(nanoseconds: bigint): { readonly date: Date; readonly rest: bigint } {
  const rest = ((nanoseconds % perSecond) + perSecond) % perSecond
  return { date: new Date(Number((nanoseconds - rest) / 1_000_000n)), rest }
}

const units: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1000n],
  ['µs', 1000n],
  ['μs', 1000n],
  ['ms', 1_000_000n],
  ['s', perSecond],
  ['m', 60n * perSecond],
  ['h', 3600n * perSecond],
])

const durationPart = /(\d{0,40})(?:\.(\d{0,40}))?(ns|us|µs|μs|ms|s|m|h)/y

/** `1h30m`, exactly; undefined if the text is not a duration. */
export function celDuration(text: string): CelResult | undefined {
  if (text.length > 128) return undefined
  const sign = text.startsWith('-') ? -1n : 1n
  const start = /^[+-]/.test(text) ? 1 : 0
  if (text.slice(start) === '0') return checkedDuration(0n)
  let total = 0n
  let at = start
  do {
    durationPart.lastIndex = at
    const [found, whole = '', fraction = '', unit = ''] = durationPart.exec(text) ?? []
    if (found === undefined || `${whole}${fraction}` === '') return undefined
    const scale = units.get(unit) ?? 0n
    total += BigInt(whole === '' ? '0' : whole) * scale
    if (fraction !== '') total += (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length)
    at += found.length
  } while (at < text.length)
  const duration = checkedDuration(sign * total)
  return typeof duration === 'object' && duration?.kind === 'duration' ? duration : undefined
}

/** In seconds, with as many digits as needed. */
export function printDuration(nanoseconds: bigint): string {
  const sign = nanoseconds < 0n ? '-' : ''
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds
  const fraction = (size % perSecond).toString().padStart(9, '0').replace(/0+$/, '')
  return `${sign}${size / perSecond}${fraction === '' ? '' : `.${fraction}`}s`
}

export interface CalendarTime {
  readonly year: number
  /** Counts from 0. */
  readonly month: number
  /** Counts from 1. */
  readonly day: number
  readonly dayOfWeek: number
  /** Counts from 0. */
  readonly dayOfYear: number
  readonly hours: number
  readonly minutes: number
  readonly seconds: number
  readonly milliseconds: number
}

export function calendarTime(nanoseconds: bigint, zone: string, meter: Meter): CalendarTime | CelResult {
  const offsetMs = zoneOffsetMs(nanoseconds, zone, meter)
  if (offsetMs === undefined) return failure(`unknown time zone ${zone}`)
  const { date, rest } = dateOf(nanoseconds + BigInt(offsetMs) * 1_000_000n)
  const firstOfYear = Date.UTC(date.getUTCFullYear(), 0, 1)
  const startOfDay = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    dayOfWeek: date.getUTCDay(),
    dayOfYear: Math.round((startOfDay - firstOfYear) / 86_400_000),
    hours: date.getUTCHours(),
    minutes: date.getUTCMinutes(),
    seconds: date.getUTCSeconds(),
    milliseconds: Number(rest / 1_000_000n),
  }
}

/** The work of creating a formatter for a zone, which is far more than using it. */
const workOfZone = 20_000
const workOfOffset = 500

function zoneOffsetMs(nanoseconds: bigint, zone: string, meter: Meter): number | undefined {
  if (zone === '' || zone === 'UTC') return 0
  const fixed = /^([+-]?)(\d\d):(\d\d)$/.exec(zone)
  if (fixed !== null) {
    const [, sign, hours, minutes] = fixed
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
  }
  const format = zoneFormat(zone, meter)
  if (format === undefined) return undefined
  meter.work(workOfOffset)
  const { date } = dateOf(nanoseconds)
  const part = new Map(format.formatToParts(date).map(({ type, value }) => [type, Number(value)]))
  const get = (name: Intl.DateTimeFormatPartTypes) => part.get(name) ?? 0
  const local = Date.UTC(get('year'), get('month') - 1, get('day'), get('hour') % 24, get('minute'), get('second'))
  return local - date.getTime()
}

function zoneFormat(timeZone: string, meter: Meter): Intl.DateTimeFormat | undefined {
  meter.work(workOfZone)
  if (!/^[A-Za-z0-9_+/-]{1,64}$/.test(timeZone)) return undefined
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    return undefined
  }
}
