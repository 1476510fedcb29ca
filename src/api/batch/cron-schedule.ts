interface Range {
  readonly name: string
  readonly min: number
  readonly max: number
  /** Names of values, starting with the first one. */
  readonly words?: readonly string[]
}

/** The values of one of the five fields, in order. */
export interface CronField {
  readonly values: readonly number[]
  /** The field was left open: of the two day fields, the other one then decides alone. */
  readonly isOpen: boolean
}

export type CronSchedule =
  | { readonly type: 'interval'; readonly everyMs: number }
  | {
      readonly type: 'fields'
      readonly minute: CronField
      readonly hour: CronField
      readonly dayOfMonth: CronField
      readonly month: CronField
      readonly dayOfWeek: CronField
    }

export type ParsedCron = { readonly schedule: CronSchedule } | { readonly problem: string }

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

const ranges: readonly Range[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, words: months },
  { name: 'day of week', min: 0, max: 6, words: days },
]

/** Schedules in words, and the corresponding fields. */
const descriptors: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
])
const every = /^@every ((?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+)$/
const unitsMs: Readonly<Record<string, number>> = {
  ns: 0.000_001,
  us: 0.001,
  µs: 0.001,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
}

/** What is wrong with a schedule in the five fields of cron; undefined if it is valid. */
export function cronProblem(schedule: string): string | undefined {
  const parsed = parseCron(schedule)
  return 'problem' in parsed ? parsed.problem : undefined
}

/** Listing all values of all fields takes half of it. */
const longestSchedule = 1_000

export function parseCron(schedule: string): ParsedCron {
  if (schedule.length > longestSchedule) return { problem: `it is longer than ${longestSchedule} characters` }
  const text = schedule.replace(/^(?:CRON_)?TZ=\S*\s+/, '')
  if (!text.startsWith('@')) return parseFields(text)
  const [, duration] = every.exec(text) ?? []
  if (duration !== undefined) return { schedule: { type: 'interval', everyMs: wholeSecondsMs(duration) } }
  const fields = descriptors.get(text)
  return fields === undefined ? { problem: `unrecognized descriptor: ${text}` } : parseFields(fields)
}

/** At least one second. */
function wholeSecondsMs(duration: string): number {
  let sumMs = 0
  for (const [, amount, unit = ''] of duration.matchAll(/([\d.]+)([a-zµ]+)/g))
    sumMs += Number(amount) * (unitsMs[unit] ?? 0)
  return Math.max(1, Math.floor(sumMs / 1000)) * 1000
}

function parseFields(text: string): ParsedCron {
  const texts = text.split(/\s+/).filter((field) => field !== '')
  if (texts.length !== ranges.length) {
    return { problem: `expected exactly ${ranges.length} fields, found ${texts.length}: [${texts.join(' ')}]` }
  }
  const fields: CronField[] = []
  for (const [index, range] of ranges.entries()) {
    const field = parseField(texts[index] ?? '', range)
    if (typeof field === 'string') return { problem: field }
    fields.push(field)
  }
  const [minute = none, hour = none, dayOfMonth = none, month = none, dayOfWeek = none] = fields
  return { schedule: { type: 'fields', minute, hour, dayOfMonth, month, dayOfWeek } }
}

const none: CronField = { values: [], isOpen: false }

/** A text describes the problem. */
function parseField(field: string, range: Range): CronField | string {
  const values = new Set<number>()
  let isOpen = false
  for (const text of field.split(',').filter((each) => each !== '')) {
    const part = parsePart(text, range)
    if (typeof part === 'string') return part
    for (let value = part.start; value <= part.end; value += part.step) values.add(value)
    isOpen ||= part.isOpen
  }
  return { values: [...values].sort((left, right) => left - right), isOpen }
}

interface CronPart {
  readonly start: number
  readonly end: number
  readonly step: number
  readonly isOpen: boolean
}

function parsePart(part: string, range: Range): CronPart | string {
  const [span = '', stepText, ...moreSteps] = part.split('/')
  const [low = '', high, ...moreBounds] = span.split('-')
  if (moreBounds.length > 0) return `too many hyphens: ${part}`
  if (moreSteps.length > 0) return `too many slashes: ${part}`
  const isAny = low === '*' || low === '?'
  const start = isAny ? range.min : fieldValue(low, range)
  if (typeof start === 'string') return start
  const end = isAny
    ? range.max
    : high === undefined
      ? stepText === undefined
        ? start
        : range.max
      : fieldValue(high, range)
  if (typeof end === 'string') return end
  const problem = boundsProblem(start, end, part, range)
  if (problem !== undefined) return problem
  const step = stepText === undefined ? 1 : stepOf(stepText, part)
  return typeof step === 'string' ? step : { start, end, step, isOpen: isAny && step === 1 }
}

function stepOf(step: string, part: string): number | string {
  const value = numberOf(step)
  return value === 0 ? `step of range should be a positive number: ${part}` : value
}

function boundsProblem(start: number, end: number, part: string, { min, max }: Range): string | undefined {
  if (start < min) return `beginning of range (${start}) below minimum (${min}): ${part}`
  if (end > max) return `end of range (${end}) above maximum (${max}): ${part}`
  return start > end ? `beginning of range (${start}) beyond end of range (${end}): ${part}` : undefined
}

function fieldValue(text: string, { words = [], min }: Range): number | string {
  const place = words.indexOf(text.toLowerCase())
  return place < 0 ? numberOf(text) : place + min
}

function numberOf(text: string): number | string {
  if (/^[+-]?\d+$/.test(text)) {
    const value = Number(text)
    return value < 0 ? `negative number (${value}) not allowed: ${text}` : value
  }
  return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`
}
