interface Range {
  readonly name: string
  readonly min: number
  readonly max: number
  /** Names of values, from the first one on. */
  readonly words?: readonly string[]
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

const ranges: readonly Range[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, words: months },
  { name: 'day of week', min: 0, max: 6, words: days },
]

const descriptors = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']
const every = /^@every (?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/

/** What is wrong with a schedule in the five fields of cron; undefined if nothing is. */
export function cronProblem(schedule: string): string | undefined {
  const text = schedule.replace(/^(?:CRON_)?TZ=\S*\s+/, '')
  if (text.startsWith('@')) {
    return descriptors.includes(text) || every.test(text) ? undefined : `unrecognized descriptor: ${text}`
  }
  const fields = text.split(/\s+/).filter((field) => field !== '')
  if (fields.length !== ranges.length) {
    return `expected exactly ${ranges.length} fields, found ${fields.length}: [${fields.join(' ')}]`
  }
  for (const [index, range] of ranges.entries()) {
    const problem = fieldProblem(fields[index] ?? '', range)
    if (problem !== undefined) return problem
  }
  return undefined
}

function fieldProblem(field: string, range: Range): string | undefined {
  for (const part of field.split(',')) {
    const problem = part === '' ? undefined : partProblem(part, range)
    if (problem !== undefined) return problem
  }
  return undefined
}

function partProblem(part: string, range: Range): string | undefined {
  const [span = '', step, ...moreSteps] = part.split('/')
  const [low = '', high, ...moreBounds] = span.split('-')
  if (moreBounds.length > 0) return `too many hyphens: ${part}`
  if (moreSteps.length > 0) return `too many slashes: ${part}`
  if (low === '*' || low === '?') return step === undefined ? undefined : stepProblem(step, part)
  const start = fieldValue(low, range)
  if (typeof start === 'string') return start
  const end = high === undefined ? (step === undefined ? start : range.max) : fieldValue(high, range)
  if (typeof end === 'string') return end
  return boundsProblem(start, end, part, range) ?? (step === undefined ? undefined : stepProblem(step, part))
}

function stepProblem(step: string, part: string): string | undefined {
  const value = numberOf(step)
  if (typeof value === 'string') return value
  return value === 0 ? `step of range should be a positive number: ${part}` : undefined
}

function boundsProblem(start: number, end: number, part: string, { min, max }: Range): string | undefined {
  if (start < min) return `beginning of range (${start}) below minimum (${min}): ${part}`
  if (end > max) return `end of range (${end}) above maximum (${max}): ${part}`
  return start > end ? `beginning of range (${start}) beyond end of range (${end}): ${part}` : undefined
}

/** A text is what is wrong with it. */
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
