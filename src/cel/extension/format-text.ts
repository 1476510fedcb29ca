import type { Meter } from '../meter.ts'
import { foundIn } from '../run/found-in.ts'
import { fixedDouble, printDouble } from '../standard/go-number.ts'
import { printDuration, printTimestamp } from '../standard/time.ts'
import {
  type CelFailure,
  type CelList,
  type CelMap,
  type CelResult,
  type CelValue,
  failure,
  isFailure,
  noSuchOverload,
  typeNameOf,
} from '../value.ts'
import { quotedText } from './quote.ts'

/** A verb with its precision, an escaped percent sign, or an invalid one. */
const clause = /%(?:(%)|(?:\.(\d{0,4}))?([sdfebxXo]))|%/g

/** `'%s of %d'.format([a, b])`. */
export function formatted(template: string, args: CelValue, meter: Meter): CelResult {
  if (typeof args !== 'object' || args?.kind !== 'list') return noSuchOverload
  meter.work(template.length)
  let next = 0
  let problem: CelFailure | undefined
  const text = template.replace(
    clause,
    (whole: string, percent?: string, precision?: string, verb?: string, at = 0) => {
      if (percent !== undefined || problem !== undefined) return '%'
      if (verb === undefined) {
        const character = template.charAt(at + whole.length)
        problem = failure(
          `could not parse formatting clause: unrecognized formatting clause ${JSON.stringify(character)}`,
        )
        return ''
      }
      const shown =
        next < args.size ? shownAs(verb, precision, args.at(next, meter), meter) : failure(`index ${next} out of range`)
      next++
      if (typeof shown === 'string') {
        meter.work(shown.length / 4)
        return shown
      }
      problem = shown
      return ''
    },
  )
  return problem ?? text
}

function shownAs(verb: string, precision: string | undefined, value: CelResult, meter: Meter): string | CelFailure {
  if (isFailure(value)) return value
  switch (verb) {
    case 's':
      return shownText(value, meter)
    case 'd':
      return integerText(value) ?? wrong('decimal clause can only be used on integers', value)
    case 'f':
      return doubleText(value, (number) => grouped(fixedDouble(number, digits(precision))))
    case 'e':
      return doubleText(value, exponential)
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0'
      return integerText(value, 2) ?? wrong('only integers and bools can be formatted as binary', value)
    case 'o':
      return integerText(value, 8) ?? wrong('octal clause can only be used on integers', value)
    default:
      return hexText(value, verb === 'X', meter)
  }
}

const defaultDigits = 6

function digits(precision: string | undefined): number {
  return Math.min(precision === undefined || precision === '' ? defaultDigits : Number(precision), 100)
}

function wrong(reason: string, value: CelValue): CelFailure {
  return failure(`error during formatting: ${reason}, was given ${typeNameOf(value)}`)
}

function integerText(value: CelValue, radix = 10): string | undefined {
  if (typeof value === 'bigint') return value.toString(radix)
  return typeof value === 'object' && value?.kind === 'uint' ? value.value.toString(radix) : undefined
}

function doubleText(value: CelValue, print: (number: number) => string): string | CelFailure {
  const number = typeof value === 'number' ? value : namedNumber(value)
  if (number === undefined) return wrong('fixed-point clause can only be used on doubles', value)
  if (Number.isNaN(number)) return 'NaN'
  if (!Number.isFinite(number)) return number > 0 ? '∞' : '-∞'
  return print(number)
}

function namedNumber(value: CelValue): number | undefined {
  if (typeof value !== 'string' || !['NaN', 'Infinity', '-Infinity'].includes(value)) return undefined
  return Number(value)
}

/** 1,234.5 */
function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.')
  const groups = whole.replace(/\d(?=(?:\d{3})+$)/g, '$&,')
  return fraction === undefined ? groups : `${groups}.${fraction}`
}

/** Whatever the precision of the clause: the implementation in Kubernetes takes that for a width. */
function exponential(value: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential(defaultDigits).split('e')
  const size = exponent.replace(/^[+-]/, '').padStart(2, '0')
  return `${mantissa}\u202f×\u202f10${exponent.startsWith('-') ? '⁻' : ''}${superscript(size)}`
}

function superscript(digits: string): string {
  return digits.replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] ?? '')
}

function hexText(value: CelValue, isUpper: boolean, meter: Meter): string | CelFailure {
  const text = integerText(value, 16) ?? hexOfBytes(value, meter)
  if (text === undefined) return wrong('only integers, byte buffers, and strings can be formatted as hex', value)
  return isUpper ? text.toUpperCase() : text
}

function hexOfBytes(value: CelValue, meter: Meter): string | undefined {
  const isBytes = typeof value === 'object' && value?.kind === 'bytes'
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : isBytes ? value.bytes : undefined
  if (bytes === undefined) return undefined
  meter.work(bytes.length * 4)
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The work of printing a number. */
const workOfText = 5

function shownText(value: CelValue, meter: Meter): string | CelFailure {
  meter.work(workOfText)
  switch (typeof value) {
    case 'string':
      return value
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'number':
      return printDouble(value)
    default:
      return value === null ? 'null' : objectText(value, meter)
  }
}

function objectText(value: CelValue, meter: Meter): string | CelFailure {
  if (typeof value !== 'object' || value === null) return ''
  switch (value.kind) {
    case 'uint':
      return String(value.value)
    case 'bytes':
      return new TextDecoder().decode(value.bytes)
    case 'timestamp':
      return printTimestamp(value.nanoseconds)
    case 'duration':
      return printDuration(value.nanoseconds)
    case 'type':
      return value.name
    case 'list':
      return listText(value, meter)
    case 'map':
      return mapText(value, meter)
    default:
      return wrong(
        'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
        value,
      )
  }
}

/** Values in a list or a map are shown as literals. */
function literalText(value: CelResult | undefined, meter: Meter): string | CelFailure {
  if (value === undefined) return 'null'
  if (isFailure(value)) return value
  if (typeof value === 'string') return quotedText(value, meter)
  if (typeof value === 'number') return doubleText(value, (number) => fixedDouble(number, defaultDigits))
  const text = shownText(value, meter)
  if (typeof text !== 'string' || typeof value !== 'object' || value === null) return text
  meter.work(text.length / 4)
  if (value.kind === 'bytes') return `b${quotedText(text, meter)}`
  return value.kind === 'timestamp' || value.kind === 'duration' ? `${value.kind}("${text}")` : text
}

function listText(list: CelList, meter: Meter): string | CelFailure {
  const shown: string[] = []
  for (let index = 0; index < list.size; index++) {
    const text = literalText(list.at(index, meter), meter)
    if (typeof text !== 'string') return text
    shown.push(text)
  }
  return `[${shown.join(', ')}]`
}

function mapText(map: CelMap, meter: Meter): string | CelFailure {
  const shown: string[] = []
  for (const key of map.keys(meter)) {
    const name = literalText(key, meter)
    const value = literalText(foundIn(map, key, meter), meter)
    if (typeof name !== 'string') return name
    if (typeof value !== 'string') return value
    shown.push(`${name}:${value}`)
  }
  return `{${shown.sort().join(', ')}}`
}
