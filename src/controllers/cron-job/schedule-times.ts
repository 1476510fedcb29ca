import type { CronSchedule } from '../../api/batch/cron-schedule.ts'
import type { ZoneOffset } from './zone-offset.ts'

type CronFields = Extract<CronSchedule, { type: 'fields' }>

const hourMs = 3_600_000
const minuteMs = 60_000
const dayMs = 86_400_000

/** No two February 29ths are further apart. A schedule without a time in this span has none. */
const horizonDays = 9 * 366

/**
 * The first scheduled time after this one; undefined if it never comes. A time is a minute at which clocks of the zone
 * match the fields: one that clocks skip in spring never comes, and one that they repeat in autumn comes twice.
 */
export function nextTime(schedule: CronSchedule, offset: ZoneOffset, afterMs: number): number | undefined {
  if (schedule.type === 'interval') return wholeSecond(afterMs) + schedule.everyMs
  if (hasNoTime(schedule)) return undefined
  const first = dayAt(afterMs, offset)
  const last = first + horizonDays * dayMs
  for (let day = first; day <= last; day = isMonthOf(schedule, day) ? day + dayMs : monthStart(day, 1)) {
    if (!isDayOf(schedule, day)) continue
    for (const part of partsOf(offset, day)) {
      const atMs = firstIn(schedule, part, afterMs)
      if (atMs !== undefined) return atMs
    }
  }
  return undefined
}

/** The last scheduled time after `afterMs`, up to `untilMs`. */
export function latestTime(
  schedule: CronSchedule,
  offset: ZoneOffset,
  afterMs: number,
  untilMs: number,
): number | undefined {
  if (schedule.type === 'interval') return latestInterval(schedule.everyMs, wholeSecond(afterMs), untilMs)
  if (hasNoTime(schedule)) return undefined
  const last = dayAt(untilMs, offset)
  const first = Math.max(dayAt(afterMs, offset), last - horizonDays * dayMs)
  for (let day = last; day >= first; day = (isMonthOf(schedule, day) ? day : monthStart(day, 0)) - dayMs) {
    if (!isDayOf(schedule, day)) continue
    for (const part of partsOf(offset, day).toReversed()) {
      const atMs = lastIn(schedule, part, untilMs)
      if (atMs !== undefined) return atMs > afterMs ? atMs : undefined
    }
  }
  return undefined
}

/** Whether there are more than `most` scheduled times in between. */
export function hasMoreTimes(
  schedule: CronSchedule,
  offset: ZoneOffset,
  afterMs: number,
  untilMs: number,
  most: number,
): boolean {
  let atMs: number | undefined = afterMs
  for (let count = 0; count <= most; count++) {
    atMs = nextTime(schedule, offset, atMs)
    if (atMs === undefined || atMs > untilMs) return false
  }
  return true
}

function latestInterval(everyMs: number, startMs: number, untilMs: number): number | undefined {
  const count = Math.floor((untilMs - startMs) / everyMs)
  return count < 1 ? undefined : startMs + count * everyMs
}

/** A field may consist of commas only. Then no day needs to be checked. */
function hasNoTime({ hour, minute }: CronFields): boolean {
  return hour.values.length === 0 || minute.values.length === 0
}

/** Midnight of the calendar day in the zone, as if it were UTC. */
function dayAt(atMs: number, offset: ZoneOffset): number {
  return Math.floor((atMs + offset(atMs)) / dayMs) * dayMs
}

function isMonthOf({ month }: CronFields, day: number): boolean {
  return month.values.includes(new Date(day).getUTCMonth() + 1)
}

/** The first day of its month, or of a later one. */
function monthStart(day: number, months: number): number {
  const date = new Date(day)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)
}

/** If both day fields are given, either of them is enough. */
function isDayOf(schedule: CronFields, day: number): boolean {
  if (!isMonthOf(schedule, day)) return false
  const { dayOfMonth, dayOfWeek } = schedule
  const date = new Date(day)
  const isDate = dayOfMonth.values.includes(date.getUTCDate())
  const isWeekday = dayOfWeek.values.includes(date.getUTCDay())
  return dayOfMonth.isOpen || dayOfWeek.isOpen ? isDate && isWeekday : isDate || isWeekday
}

/** A part of a day without a clock change. */
interface DayPart {
  /** When clocks would show midnight. */
  readonly midnightMs: number
  readonly fromMs: number
  readonly beforeMs: number
}

/** In order: one part, or on a day with a clock change, the parts before and after it. */
function partsOf(offset: ZoneOffset, day: number): readonly DayPart[] {
  // No zone is more than 14 hours ahead of UTC or 12 hours behind.
  const fromMs = day - 15 * hourMs
  const beforeMs = day + 37 * hourMs
  const midnightMs = day - offset(fromMs)
  const nextMidnightMs = day - offset(beforeMs)
  if (midnightMs === nextMidnightMs) return [{ midnightMs, fromMs, beforeMs }]
  const changeMs = changeBetween(offset, fromMs, beforeMs)
  return [
    { midnightMs, fromMs, beforeMs: changeMs },
    { midnightMs: nextMidnightMs, fromMs: changeMs, beforeMs },
  ]
}

function firstIn({ hour, minute }: CronFields, part: DayPart, afterMs: number): number | undefined {
  for (const hours of hour.values) {
    const hourStartMs = part.midnightMs + hours * hourMs
    if (hourStartMs + hourMs <= afterMs) continue
    for (const minutes of minute.values) {
      const atMs = hourStartMs + minutes * minuteMs
      if (atMs > afterMs && isIn(part, atMs)) return atMs
    }
  }
  return undefined
}

function lastIn({ hour, minute }: CronFields, part: DayPart, untilMs: number): number | undefined {
  for (const hours of hour.values.toReversed()) {
    const hourStartMs = part.midnightMs + hours * hourMs
    if (hourStartMs > untilMs) continue
    for (const minutes of minute.values.toReversed()) {
      const atMs = hourStartMs + minutes * minuteMs
      if (atMs <= untilMs && isIn(part, atMs)) return atMs
    }
  }
  return undefined
}

function isIn({ fromMs, beforeMs }: DayPart, atMs: number): boolean {
  return atMs >= fromMs && atMs < beforeMs
}

/** The first minute with the offset of the second time. */
function changeBetween(offset: ZoneOffset, beforeMs: number, afterMs: number): number {
  const after = offset(afterMs)
  let low = beforeMs / minuteMs
  let high = afterMs / minuteMs
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offset(middle * minuteMs) === after) high = middle
    else low = middle
  }
  return high * minuteMs
}

function wholeSecond(atMs: number): number {
  return Math.floor(atMs / 1000) * 1000
}
