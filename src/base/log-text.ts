import { isJsonObject } from './json/member.ts'
import { visible } from './unseen.ts'

const levels: Readonly<Record<number, string>> = { 20: 'DEBUG', 30: 'INFO ', 40: 'WARN ', 50: 'ERROR', 60: 'FATAL' }

/**
 * A log line as people read it. Content from others cannot affect a terminal: it is one line without control
 * characters.
 */
export function logText(line: string): string {
  const { time, level, msg, error, ...fields } = JSON.parse(line)
  const shown = Object.entries({ ...fields, ...errorFields(error) }).map(
    ([name, value]) => ` ${name}=${valueText(value)}`,
  )
  const atMs = Number(time)
  // A log field may be called `time` too.
  const clock = Number.isFinite(atMs) ? new Date(atMs).toISOString().slice(11) : String(time)
  return `${visible(`${clock} ${levels[Number(level)] ?? String(level)} ${String(msg ?? '')}${shown.join('')}`)}\n${stackText(error)}`
}

function errorFields(error: unknown): Readonly<Record<string, unknown>> {
  if (error === undefined) return {}
  return { error: isJsonObject(error) && typeof error.message === 'string' ? error.message : error }
}

/** The stack; the message is already in the line itself. */
function stackText(error: unknown): string {
  if (!isJsonObject(error) || typeof error.stack !== 'string') return ''
  const places = error.stack.split('\n').filter((line) => /^\s+at /.test(line))
  return places.map((place) => `    ${visible(place.trim())}\n`).join('')
}

const plain = /^[\w./:@+-]+$/

function valueText(value: unknown): string {
  return typeof value === 'string' && plain.test(value) ? value : JSON.stringify(value)
}
