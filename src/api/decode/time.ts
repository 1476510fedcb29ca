export type ParsedTime =
  | { readonly valid: true; readonly text: string }
  | { readonly valid: false; readonly reason: string }

const secondsLayout = '2006-01-02T15:04:05Z07:00'
const microsLayout = '2006-01-02T15:04:05.000000Z07:00'
const exactSeconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
const moment = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)([.,]\d+)?(Z|[+-]\d\d:\d\d)$/

/** A time in whole seconds, returned in UTC. */
export function parseTime(text: string): ParsedTime {
  const date = momentOf(text)
  if (date === undefined) return refused(text, secondsLayout)
  return { valid: true, text: exactSeconds.test(text) ? text : `${date.toISOString().slice(0, 19)}Z` }
}

/** A time with exactly six decimals, returned in UTC. */
export function parseMicroTime(text: string): ParsedTime {
  const date = momentOf(text)
  const decimals = /\.(\d{6})(?:Z|[+-])/.exec(text)?.[1]
  if (date === undefined || decimals === undefined) return refused(text, microsLayout)
  return { valid: true, text: `${date.toISOString().slice(0, 19)}.${decimals}Z` }
}

function momentOf(text: string): Date | undefined {
  const parts = moment.exec(text)
  if (parts === null) return undefined
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number)
  if (year === undefined || month === undefined || day === undefined) return undefined
  if ((hour ?? 0) > 23 || (minute ?? 0) > 59 || (second ?? 0) > 59) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  date.setUTCHours(hour ?? 0, (minute ?? 0) - offsetMinutes(parts[8] ?? 'Z'), second ?? 0)
  const utcYear = date.getUTCFullYear()
  return utcYear < 0 || utcYear > 9999 ? undefined : date
}

function offsetMinutes(zone: string): number {
  if (zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6))
  return zone.startsWith('-') ? -minutes : minutes
}

/** Go reports how far it got in the layout. */
function refused(text: string, layout: string): ParsedTime {
  const shown = JSON.stringify(text)
  const prefix = `parsing time ${shown} as ${JSON.stringify(layout)}`
  const [rest, wanted] = stoppedAt(text, layout)
  if (wanted === undefined) return { valid: false, reason: `parsing time ${shown}: ${rangeProblem(text)} out of range` }
  if (wanted === '') return { valid: false, reason: `parsing time ${shown}: extra text: ${JSON.stringify(rest)}` }
  return { valid: false, reason: `${prefix}: cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(wanted)}` }
}

function stoppedAt(text: string, layout: string): readonly [rest: string, wanted: string | undefined] {
  const elements: readonly (readonly [RegExp, string])[] = [
    [/^\d{4}/, '2006'],
    [/^-/, '-'],
    [/^\d\d/, '01'],
    [/^-/, '-'],
    [/^\d\d/, '02'],
    [/^T/, 'T'],
    [/^\d\d/, '15'],
    [/^:/, ':'],
    [/^\d\d/, '04'],
    [/^:/, ':'],
    [/^\d\d/, '05'],
    layout === microsLayout ? [/^\.\d{6}/, '.000000'] : [/^(?:[.,]\d+)?/, ''],
    [/^(?:Z|[+-]\d\d:\d\d)/, 'Z07:00'],
  ]
  let rest = text
  for (const [pattern, name] of elements) {
    const match = pattern.exec(rest)
    if (match === null) return [rest, name]
    rest = rest.slice(match[0].length)
  }
  return rest === '' ? ['', undefined] : [rest, '']
}

function rangeProblem(text: string): string {
  if (Number(text.slice(5, 7)) < 1 || Number(text.slice(5, 7)) > 12) return 'month'
  if (Number(text.slice(11, 13)) > 23) return 'hour'
  if (Number(text.slice(14, 16)) > 59) return 'minute'
  return Number(text.slice(17, 19)) > 59 ? 'second' : 'day'
}
