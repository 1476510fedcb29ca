import { canonicalBase64 } from '../../decode/base64.ts'
import { parseTime } from '../../decode/time.ts'
import { isCidr, isIpv4, isIpv6, isMac } from './addresses.ts'
import { isDuration } from './duration.ts'
import { isEmail } from './email.ts'
import { isCreditCard, isIsbn10, isIsbn13, isRgbColor } from './numbers.ts'
import { isHostname, isRequestUri } from './uri.ts'

/** Longer texts have no format. */
const longest = 4096

/** Whether a text has a format. Formats that Kubernetes does not know are no restriction, and neither is `password`. */
export function hasFormat(format: string, text: string): boolean {
  const check = formats.get(format.replaceAll('-', ''))
  if (check === undefined) return true
  if (format === 'byte') return check(text)
  return text.length <= longest && check(text)
}

/** Every expression here takes linear time. */
const formats: ReadonlyMap<string, (text: string) => boolean> = new Map<string, (text: string) => boolean>([
  ['bsonobjectid', (text) => /^[0-9a-fA-F]{24}$/.test(text)],
  ['byte', (text) => text !== '' && !/[\r\n]/.test(text) && canonicalBase64(text).valid],
  ['cidr', isCidr],
  ['creditcard', isCreditCard],
  ['date', isDate],
  ['datetime', isDateTime],
  ['duration', isDuration],
  ['email', isEmail],
  ['hexcolor', (text) => /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text)],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['mac', isMac],
  ['rgbcolor', isRgbColor],
  ['ssn', (text) => /^\d{3}[- ]\d{2}[- ]\d{4}$/.test(text)],
  ['uri', isRequestUri],
  ['uuid', (text) => isUuid(text, /./)],
  ['uuid3', (text) => isUuid(text, /^3/)],
  ['uuid4', (text) => isUuid(text, /^4...[89abAB]/)],
  ['uuid5', (text) => isUuid(text, /^5...[89abAB]/)],
])

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && parseTime(`${text}T00:00:00Z`).valid
}

/** Text after a second `t` is ignored. */
function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t')
  const parts = /^(\d\d):(\d\d):(\d\d)(?:[^\n]\d+)?(?:z|[+-]\d\d:\d\d)$/.exec(time)
  const [, hour = '', minute = '', second = ''] = parts ?? []
  return isDate(date) && parts !== null && hour <= '23' && minute <= '59' && second <= '59'
}

/** `version` is matched against the text from the version digit on. */
function isUuid(text: string, version: RegExp): boolean {
  const isOne = /^[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}$/.test(text)
  return isOne && version.test(text.replaceAll('-', '').slice(12))
}
