import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CronSchedule, parseCron } from '../../api/batch/cron-schedule.ts'
import { hasMoreTimes, latestTime, nextTime } from './schedule-times.ts'
import { type ZoneOffset, zoneOffset } from './zone-offset.ts'

function scheduleOf(text: string): CronSchedule {
  const parsed = parseCron(text)
  if ('problem' in parsed) throw new Error(parsed.problem)
  return parsed.schedule
}

function offsetOf(zone: string): ZoneOffset {
  const offset = zoneOffset(zone)
  if (offset === undefined) throw new Error(`unknown zone ${zone}`)
  return offset
}

function shown(atMs: number | undefined): string | undefined {
  return atMs === undefined ? undefined : new Date(atMs).toISOString().replace(':00.000Z', 'Z')
}

function nextOnes(text: string, zone: string, after: string, count: number): readonly (string | undefined)[] {
  const times: (string | undefined)[] = []
  let atMs: number | undefined = Date.parse(after)
  for (let index = 0; index < count && atMs !== undefined; index++) {
    atMs = nextTime(scheduleOf(text), offsetOf(zone), atMs)
    times.push(shown(atMs))
  }
  return times
}

describe('the next times of a schedule', () => {
  it.each([
    ['* * * * *', '2030-01-01T10:00:00Z', ['2030-01-01T10:01Z', '2030-01-01T10:02Z']],
    ['* * * * *', '2030-01-01T10:00:59.999Z', ['2030-01-01T10:01Z']],
    ['30 6-16/4 * * 1-5', '2030-01-04T14:30:00Z', ['2030-01-07T06:30Z', '2030-01-07T10:30Z']],
    ['@weekly', '2030-01-01T00:00:00Z', ['2030-01-06T00:00Z', '2030-01-13T00:00Z']],
    ['0 0 31 * *', '2030-01-31T00:00:00Z', ['2030-03-31T00:00Z', '2030-05-31T00:00Z']],
    ['0 0 29 2 *', '2030-01-01T00:00:00Z', ['2032-02-29T00:00Z', '2036-02-29T00:00Z']],
    ['0 0 29 2 *', '2096-03-01T00:00:00Z', ['2104-02-29T00:00Z']],
    // If both day fields are given, either is enough. If one of them is open, even as a list with a star, the other
    // decides.
    ['0 0 13 * 5', '2030-09-01T00:00:00Z', ['2030-09-06T00:00Z', '2030-09-13T00:00Z', '2030-09-20T00:00Z']],
    ['0 0 13 * *', '2030-09-01T00:00:00Z', ['2030-09-13T00:00Z', '2030-10-13T00:00Z']],
    ['0 0 */2 * 1', '2030-09-01T00:00:00Z', ['2030-09-02T00:00Z', '2030-09-03T00:00Z']],
    ['@every 90s', '2030-01-01T00:00:00.700Z', ['2030-01-01T00:01:30.000Z', '2030-01-01T00:03Z']],
    ['0 0 31 2 *', '2030-01-01T00:00:00Z', [undefined]],
    [', * * * *', '2030-01-01T00:00:00Z', [undefined]],
  ])('%s after %s', (text, after, expected) => {
    expect(nextOnes(text, 'UTC', after, expected.length)).toEqual(expected)
  })
})

describe('where clocks change', () => {
  it.each([
    [
      'leaves out a time that clocks leave out',
      '30 2 * * *',
      'America/New_York',
      '2030-03-09T12:00:00Z',
      ['2030-03-11T06:30Z'],
    ],
    [
      'has a time twice that clocks show twice',
      '30 1 * * *',
      'America/New_York',
      '2030-11-03T00:00:00Z',
      ['2030-11-03T05:30Z', '2030-11-03T06:30Z', '2030-11-04T06:30Z'],
    ],
    [
      'runs every hour in spring',
      '0 * * * *',
      'Europe/Berlin',
      '2030-03-31T00:00:00Z',
      ['2030-03-31T01:00Z', '2030-03-31T02:00Z'],
    ],
    [
      'runs every hour in autumn',
      '0 * * * *',
      'Europe/Berlin',
      '2030-10-26T23:30:00Z',
      ['2030-10-27T00:00Z', '2030-10-27T01:00Z', '2030-10-27T02:00Z'],
    ],
    [
      'keeps its hour on the clock',
      '0 9 * * *',
      'Europe/Berlin',
      '2030-03-30T00:00:00Z',
      ['2030-03-30T08:00Z', '2030-03-31T07:00Z'],
    ],
    [
      'knows changes at midnight, when a day has no first hour',
      '0 0 * * *',
      'Asia/Beirut',
      '2030-03-30T12:00:00Z',
      ['2030-03-31T21:00Z'],
    ],
    [
      'knows changes of half an hour',
      '15 2 * * *',
      'Australia/Lord_Howe',
      '2030-10-05T00:00:00Z',
      ['2030-10-06T15:15Z'],
    ],
    [
      'knows zones that are half an hour off',
      '0 0 * * *',
      'Asia/Kolkata',
      '2030-01-01T00:00:00Z',
      ['2030-01-01T18:30Z'],
    ],
    ['knows a day before UTC', '0 0 1 1 *', 'Pacific/Kiritimati', '2029-12-01T00:00:00Z', ['2029-12-31T10:00Z']],
    ['knows a day after UTC', '0 0 1 1 *', 'Pacific/Pago_Pago', '2029-12-01T00:00:00Z', ['2030-01-01T11:00Z']],
  ])('%s', (_, text, zone, after, expected) => {
    expect(nextOnes(text, zone, after, expected.length)).toEqual(expected)
  })
})

describe('the latest time', () => {
  it.each([
    ['0 * * * *', '2030-01-01T00:00:00Z', '2030-01-01T03:59:00Z', '2030-01-01T03:00Z'],
    ['0 * * * *', '2030-01-01T03:00:00Z', '2030-01-01T03:59:00Z', undefined],
    ['0 * * * *', '2030-01-01T02:59:00Z', '2030-01-01T03:00:00Z', '2030-01-01T03:00Z'],
    ['0 0 1 1 *', '2025-06-01T00:00:00Z', '2030-12-31T00:00:00Z', '2030-01-01T00:00Z'],
    ['@every 1h', '2030-01-01T00:10:00Z', '2030-01-01T05:00:00Z', '2030-01-01T04:10Z'],
    ['@every 1h', '2030-01-01T00:10:00Z', '2030-01-01T01:00:00Z', undefined],
    // A status can contain anything: the search must end.
    ['0 0 31 2 *', '0001-01-01T00:00:00Z', '2030-01-01T05:00:00Z', undefined],
  ])('of %s after %s and until %s', (text, after, until, expected) => {
    const found = latestTime(scheduleOf(text), offsetOf('UTC'), Date.parse(after), Date.parse(until))
    expect(shown(found)).toBe(expected)
  })
})

it.each([
  [100, '2030-01-01T01:40:00Z', false],
  [100, '2030-01-01T01:41:00Z', true],
  [0, '2030-01-01T00:00:59Z', false],
  [0, '2030-01-01T00:01:00Z', true],
])('there are more than %d minutes until %s: %s', (most, until, expected) => {
  const sinceMs = Date.parse('2030-01-01T00:00:00Z')
  expect(hasMoreTimes(scheduleOf('* * * * *'), offsetOf('UTC'), sinceMs, Date.parse(until), most)).toBe(expected)
})

const minuteMs = 60_000
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Beirut', 'Australia/Lord_Howe', 'Asia/Kolkata']
const field = (max: number, min = 0) =>
  fc.oneof(
    fc.constant('*'),
    fc.integer({ min, max }).map(String),
    fc.integer({ min: 2, max: 20 }).map((step) => `*/${step}`),
    fc
      .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
      .map((ends) => `${Math.min(...ends)}-${Math.max(...ends)}`),
  )

it('the next time is the first at which a clock of the zone matches the fields', () => {
  const texts = fc.tuple(field(59), field(23), field(31, 1), field(12, 1), field(6)).map((fields) => fields.join(' '))
  const starts = fc.integer({ min: Date.UTC(2030, 0, 1) / minuteMs, max: Date.UTC(2031, 0, 1) / minuteMs })
  fc.assert(
    fc.property(texts, fc.constantFrom(...zones), starts, (text, zone, startMinute) => {
      const [schedule, offset, startMs] = [scheduleOf(text), offsetOf(zone), startMinute * minuteMs]
      const next = nextTime(schedule, offset, startMs)
      const isTime = matcher(text, zone)
      if (next !== undefined) expect(isTime(next)).toBe(true)
      const endMs = Math.min(next ?? Number.POSITIVE_INFINITY, startMs + 300 * minuteMs)
      for (let atMs = startMs + minuteMs; atMs < endMs; atMs += minuteMs) expect(isTime(atMs)).toBe(false)
      if (next !== undefined) expect(latestTime(schedule, offset, startMs, next)).toBe(next)
      if (next !== undefined) expect(latestTime(schedule, offset, startMs, next - 1)).toBe(undefined)
    }),
    { numRuns: 60 },
  )
})

/** An independent statement of the same: reads the clock, and compares each field with it. */
function matcher(text: string, zone: string): (atMs: number) => boolean {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    ...({ minute: 'numeric', hour: 'numeric', day: 'numeric', month: 'numeric', weekday: 'short' } as const),
  })
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = text.split(' ')
  return (atMs) => {
    const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type as string, value]))
    const read = (type: string) => Number(parts.get(type))
    const isDate = fits(day, read('day'), 1)
    const isWeekday = fits(
      weekday,
      ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(parts.get('weekday') ?? ''),
      0,
    )
    const isDay = day === '*' || weekday === '*' ? isDate && isWeekday : isDate || isWeekday
    return isDay && fits(minute, read('minute'), 0) && fits(hour, read('hour') % 24, 0) && fits(month, read('month'), 1)
  }
}

function fits(field: string, value: number, min: number): boolean {
  if (field === '*') return true
  if (field.startsWith('*/')) return (value - min) % Number(field.slice(2)) === 0
  const [first = 0, last = first] = field.split('-').map(Number)
  return value >= first && value <= last
}
