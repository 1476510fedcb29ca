import { parseIpAddress, parseIpPrefix } from '../cel/ip-address.ts'
import { canonicalBase64 } from '../decode/base64.ts'
import { parseTime } from '../decode/time.ts'

/** Longer texts are of no format. */
const longest = 4096

/** Whether a text has a format. Formats that Kubernetes does not know are no restriction. */
export function hasFormat(format: string, text: string): boolean {
  const check = formats.get(format.replaceAll('-', ''))
  if (check === undefined) return true
  if (format === 'byte') return check(text)
  return text.length <= longest && check(text)
}

/** Every expression here takes a time that grows with the text alone. */
const formats: ReadonlyMap<string, (text: string) => boolean> = new Map<string, (text: string) => boolean>([
  ['bsonobjectid', (text) => /^[0-9a-fA-F]{24}$/.test(text)],
  ['byte', (text) => canonicalBase64(text).valid],
  ['cidr', isCidr],
  ['creditcard', isCreditCard],
  ['date', (text) => /^\d{4}-\d\d-\d\d$/.test(text) && parseTime(`${text}T00:00:00Z`).valid],
  ['datetime', (text) => parseTime(text.replace(/([tT]|Z|z)/g, (letter) => letter.toUpperCase())).valid],
  ['duration', isDuration],
  ['email', isEmail],
  ['hexcolor', (text) => /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text)],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['mac', (text) => /^([0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}$/.test(text)],
  ['password', () => true],
  ['rgbcolor', isRgbColor],
  ['ssn', (text) => /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ['uri', isUri],
  ['uuid', (text) => isUuid(text, '[0-9a-fA-F]')],
  ['uuid3', (text) => isUuid(text, '3')],
  ['uuid4', (text) => isUuid(text, '4') && /^[89abAB]/.test(text.replaceAll('-', '').slice(16))],
  ['uuid5', (text) => isUuid(text, '5') && /^[89abAB]/.test(text.replaceAll('-', '').slice(16))],
])

function isIpv4(text: string): boolean {
  return parseIpAddress(text)?.family === 4
}

function isIpv6(text: string): boolean {
  return parseIpAddress(text)?.family === 6
}

function isCidr(text: string): boolean {
  return parseIpPrefix(text) !== undefined
}

function isHostname(text: string): boolean {
  const labels = (text.endsWith('.') ? text.slice(0, -1) : text).split('.')
  return text.length <= 255 && labels.every((label) => /^[a-zA-Z0-9_]([a-zA-Z0-9_-]{0,61}[a-zA-Z0-9_])?$/.test(label))
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const name = text.slice(0, at)
  return at > 0 && /^[^\s"<>()[\],;:\\]+$/.test(name) && isHostname(text.slice(at + 1))
}

/** A scheme and something after it, or a path. */
function isUri(text: string): boolean {
  if (!/^([a-zA-Z][a-zA-Z0-9+.-]*:|\/)/.test(text)) return false
  return !/[\s\p{Cc}]/u.test(text) && !/%(?![0-9a-fA-F]{2})/.test(text)
}

function isUuid(text: string, version: string): boolean {
  const digits = text.replaceAll('-', '')
  if (!/^[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}$/.test(text)) return false
  return new RegExp(`^${version}$`).test(digits.charAt(12))
}

/** Go's `1h30m`, and `3 days`. */
function isDuration(text: string): boolean {
  if (/^[+-]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return true
  return /^\d+\s*(ns|nano(s|sec|second|seconds)?|us|µs|micro(s|sec|second|seconds)?|ms|milli(s|sec|second|seconds)?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)$/.test(
    text,
  )
}

function isRgbColor(text: string): boolean {
  const parts = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(text)
  return parts?.slice(1).every((part) => Number(part) <= 255) === true
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]/g, '')
  if (!/^\d{9}[\dX]$/.test(digits)) return false
  const sum = [...digits].reduce((total, digit, at) => total + (10 - at) * (digit === 'X' ? 10 : Number(digit)), 0)
  return sum % 11 === 0
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]/g, '')
  if (!/^\d{13}$/.test(digits)) return false
  const sum = [...digits].reduce((total, digit, at) => total + (at % 2 === 0 ? 1 : 3) * Number(digit), 0)
  return sum % 10 === 0
}

/** By its length and its check digit. */
function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]/g, '')
  if (!/^\d{13,16}$/.test(digits)) return false
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const doubled = at % 2 === 0 ? Number(digit) : Number(digit) * 2
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}
