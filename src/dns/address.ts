import { type IPAddress, parseIP } from '../api/core/addresses/ip-address.ts'
import { type IPRange, isInRange, parseRange } from '../api/core/addresses/ip-range.ts'

/** Ranges that clusters assign to their Pods and nodes. */
const innerRanges: readonly IPRange[] = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
].flatMap((text) => parseRange(text) ?? [])

/** One text for each address, however it is written. */
export function addressKey(address: string): string | undefined {
  const parsed = parseIP(address)
  return parsed && addressKeyOf(parsed)
}

export function addressKeyOf({ family, groups }: IPAddress): string {
  return `${family}:${groups.join('.')}`
}

/** Whether an address has a meaning only inside a network. */
export function isInner(address: IPAddress): boolean {
  return innerRanges.some((range) => isInRange(address, range))
}

const reverseIPv4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.in-addr\.arpa$/
const reverseIPv6 = /^((?:[0-9a-f]\.){32})ip6\.arpa$/

/** The address in the name of a reverse lookup. */
export function reversedAddress(name: string): IPAddress | undefined {
  const [, ...numbers] = reverseIPv4.exec(name) ?? []
  if (numbers.length > 0) return parseIP(numbers.reverse().join('.'))
  const [, nibbles] = reverseIPv6.exec(name) ?? []
  if (nibbles === undefined) return undefined
  const digits = nibbles.split('.').reverse().join('')
  return parseIP((digits.match(/.{4}/g) ?? []).join(':'))
}

/** An address as a label, such as `10-0-0-7`. */
export function dashed(address: string): string {
  return address.replaceAll(/[.:]/g, '-')
}

/** The address that such a label stands for. */
export function undashed(label: string): string | undefined {
  const ipv4 = label.replaceAll('-', '.')
  if (/^\d{1,3}(-\d{1,3}){3}$/.test(label)) return parseIP(ipv4) && ipv4
  const ipv6 = label.replaceAll('-', ':')
  return label.includes('-') && parseIP(ipv6)?.family === 'IPv6' ? ipv6 : undefined
}
