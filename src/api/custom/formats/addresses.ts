import { parseIpAddress, parseIpPrefix } from '../../cel/ip-address.ts'

/**
 * Leading zeros, which older versions of Go ignored, are still allowed here, and so is an IPv6 address that ends in an
 * IPv4 one.
 */
export function isIpv4(text: string): boolean {
  return text.includes('.') && isAddress(withoutZeros(text))
}

export function isIpv6(text: string): boolean {
  return text.includes(':') && isAddress(text)
}

export function isAddress(text: string): boolean {
  return parseIpAddress(text) !== undefined
}

export function isCidr(text: string): boolean {
  const [, address = '', bits = ''] = /^([^/]+)\/(\d+)$/.exec(text) ?? []
  return parseIpPrefix(`${withoutZeros(address)}/${bits.replace(/^0+(?=\d)/, '')}`) !== undefined
}

const longestAddress = 64

function withoutZeros(address: string): string {
  return address.length > longestAddress ? '' : address.replace(/(^|[:.])0+(?=\d+(?:\.|$))/g, '$1')
}

/** With 6, 8 or 20 bytes: `01:23:45:67:89:ab`, `01-23-45-67-89-ab` or `0123.4567.89ab`. */
export function isMac(text: string): boolean {
  const separator = text.charAt(text.charAt(4) === '.' ? 4 : 2)
  if (!/^[-:.]$/.test(separator)) return false
  const [parts, bytes] = [text.split(separator), separator === '.' ? 2 : 1]
  const isWhole = parts.every((part) => part.length === bytes * 2 && /^[0-9a-fA-F]+$/.test(part))
  return isWhole && [6, 8, 20].includes(parts.length * bytes)
}
