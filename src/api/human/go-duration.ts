import { quoted } from './go-syntax.ts'

/** Milliseconds, or the error of Go's parser. */
export type ParsedDuration = { readonly durationMs: number } | { readonly problem: string }

const unitMs: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['μs', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
])

/** The longest duration that Go can represent, about 292 years. */
const maxMs = 2 ** 63 / 1e6

/** One number and its unit, which is everything up to the next number. */
const part = /^(\d+\.?\d*|\.\d+)([^\d.]*)/

/** Durations such as `1h30m` or `500ms`, as Go reads them. */
export function parseGoDuration(text: string): ParsedDuration {
  const invalid: ParsedDuration = { problem: `time: invalid duration ${quoted(text)}` }
  const sign = text.startsWith('-') ? -1 : 1
  let rest = /^[+-]/.test(text) ? text.slice(1) : text
  if (rest === '0') return { durationMs: 0 }
  let total = 0
  do {
    const [found = '', number, unit = ''] = part.exec(rest) ?? []
    if (number === undefined) return invalid
    if (unit === '') return { problem: `time: missing unit in duration ${quoted(text)}` }
    const scale = unitMs.get(unit)
    if (scale === undefined) return { problem: `time: unknown unit ${quoted(unit)} in duration ${quoted(text)}` }
    total += Number(number) * scale
    if (total >= maxMs) return invalid
    rest = rest.slice(found.length)
  } while (rest !== '')
  return { durationMs: sign * total }
}
