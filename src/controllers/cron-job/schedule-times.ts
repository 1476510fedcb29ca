import type { CronSchedule } from '../../api/batch/cron-schedule.ts'
import type { ZoneOffset } from './zone-offset.ts'

type CronFields = Extract<CronSchedule, { type: 'fields' }>

const hourMs = 3_600_000
const minuteMs = 60_000
const dayMs = 86_400_000

/** No two February 29ths are further apart. What has no time in there has none. */
const horizonDays = 9 * 366

/**
 * The first time after this one; undefined if it never comes. A time is a minute at which clocks of the zone show what the
 * fields say: one that clocks leave out in spring never comes, and one that they show twice in autumn comes twice.
 */
export function nextTime(schedule: CronSchedule, offset: ZoneOffset, afterMs: number): number | undefined {
  if (schedule.type === 'interval') return wholeSecond(afterMs) + schedule.everyMs
  const first = dayAt(afterMs, offset)
  for (let day = first; day <= first + horizonDays * dayMs; day += dayMs) {
    if (!isDayOf(schedule, day)) continue
    for (const atMs of timesOn(schedule, offset, day)) if (atMs > afterMs) return atMs
  }
  return undefined
}

/** The last time after the first of these, and not after the second. */
export function latestTime(
  schedule: CronSchedule,
  offset: ZoneOffset,
  afterMs: number,
  untilMs: number,
): number | undefined {
  if (schedule.type === 'interval') return latestInterval(schedule.everyMs, wholeSecond(afterMs), untilMs)
  const last = dayAt(untilMs, offset)
  const first = Math.max(dayAt(afterMs, offset), last - horizonDays * dayMs)
  for (let day = last; day >= first; day -= dayMs) {
    const atMs = isDayOf(schedule, day) ? lastOn(schedule, offset, day, untilMs) : undefined
    if (atMs !== undefined) return atMs > afterMs ? atMs : undefined
  }
  return undefined
}

/** Whether there are more times than that between the two. */
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

function lastOn(schedule: CronFields, offset: ZoneOffset, day: number, untilMs: number): number | undefined {
  let last: number | undefined
  for (const atMs of timesOn(schedule, offset, day)) {
    if (atMs > untilMs) break
    last = atMs
  }
  return last
}

/** Midnight of the day that calendars of the zone show, as if it were UTC. */
function dayAt(atMs: number, offset: ZoneOffset): number {
  return Math.floor((atMs + offset(atMs)) / dayMs) * dayMs
}

/** If both fields for days are given, either of them is enough. */
function isDayOf({ dayOfMonth, month, dayOfWeek }: CronFields, day: number): boolean {
  const date = new Date(day)
  if (!month.values.includes(date.getUTCMonth() + 1)) return false
  const isDate = dayOfMonth.values.includes(date.getUTCDate())
  const isWeekday = dayOfWeek.values.includes(date.getUTCDay())
  return dayOfMonth.isOpen || dayOfWeek.isOpen ? isDate && isWeekday : isDate || isWeekday
}

/** In order. On a day on which clocks change, those before the change and those after it. */
function* timesOn(schedule: CronFields, offset: ZoneOffset, day: number): Generator<number> {
  // No zone is further from UTC than 14 hours to the east or 12 to the west.
  const earliest = day - 15 * hourMs
  const latest = day + 37 * hourMs
  const before = offset(earliest)
  const after = offset(latest)
  if (before === after) {
    yield* clockTimes(schedule, day - before)
    return
  }
  const changeMs = changeBetween(offset, earliest, latest)
  for (const atMs of clockTimes(schedule, day - before)) if (atMs < changeMs) yield atMs
  for (const atMs of clockTimes(schedule, day - after)) if (atMs >= changeMs) yield atMs
}

function* clockTimes({ hour, minute }: CronFields, midnightMs: number): Generator<number> {
  for (const hours of hour.values) {
    for (const minutes of minute.values) yield midnightMs + hours * hourMs + minutes * minuteMs
  }
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
