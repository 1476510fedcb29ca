import { type IPAddress, parseIP } from '../../api/core/addresses/ip-address.ts'
import { type IPRange, isInRange, parseRange } from '../../api/core/addresses/ip-range.ts'
import type { AddressPolicy } from '../../api/tenant-config/types.ts'
import { shown } from '../../api/tenant-config/wording.ts'

/** Why an address is not allowed as an endpoint; undefined if it is. */
export type AddressCheck = (text: unknown) => string | undefined

const linkLocal = ['169.254.0.0/16', 'fe80::/10', 'fec0::/10']
const clouds = ['100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::/32', 'fd20:ce::/32']

/** The addresses of cloud metadata services. */
export const metadataRanges: readonly string[] = [...linkLocal, ...clouds]

/** Ranges that are never valid endpoints on any host, each with its description. */
const neverEndpoints: readonly (readonly [string, readonly string[]])[] = [
  ['a loopback address', ['127.0.0.0/8', '::1/128']],
  ['a link-local address', linkLocal],
  ['an unspecified address', ['0.0.0.0/8', '::/128']],
  ['a multicast or reserved address', ['224.0.0.0/3', 'ff00::/8']],
  ['where a cloud tells its machines who they are', clouds],
  [
    'an IPv6 address that embeds an IPv4 address',
    ['::/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32'],
  ],
]

export const neverEndpointRanges: readonly string[] = neverEndpoints.flatMap(([, ranges]) => ranges)

const builtIn = neverEndpoints.map(([what, ranges]) => ({ what: `is ${what}`, ranges: ranges.map(range) }))

export function addressCheck({ host = [], denied, allowed }: AddressPolicy): AddressCheck {
  const exceptions = allowed.map(range)
  const refused = [
    ...builtIn,
    { what: 'belongs to the host', ranges: host.map(range) },
    { what: 'is denied by the operator', ranges: denied.map(range) },
  ]
  return (text) => {
    const address = exactAddress(text)
    if (typeof address === 'string') return address
    if (exceptions.some((each) => isInRange(address, each))) return undefined
    const found = refused.find(({ ranges }) => ranges.some((each) => isInRange(address, each)))
    return found && `${shown(String(text))} ${found.what}`
  }
}

/** Whether an address is in one of the ranges and written so that all programs read it alike. */
export function isAmong(text: unknown, ranges: readonly string[]): boolean {
  const address = exactAddress(text)
  return typeof address !== 'string' && ranges.some((each) => isInRange(address, range(each)))
}

/**
 * An address that all programs read alike, or the error in it. Leading zeros are octal to some programs and decimal to
 * others, and an IPv4 address written as IPv6 bypasses filters of either.
 */
function exactAddress(text: unknown): IPAddress | string {
  const address = typeof text === 'string' ? parseIP(text) : undefined
  if (typeof text !== 'string' || address === undefined) return 'it is no address'
  if (address.family === 'IPv4' && text.includes(':')) return `${shown(text)} is an IPv4 address written as IPv6`
  return hasLeadingZeros(text) ? `${shown(text)} has leading zeros, which some programs read as octal` : address
}

function hasLeadingZeros(text: string): boolean {
  const numbers = text.slice(text.lastIndexOf(':') + 1).split('.')
  return numbers.length > 1 && numbers.some((number) => /^0\d/.test(number))
}

function range(text: string): IPRange {
  const parsed = parseRange(text)
  if (parsed === undefined) throw new Error('A checked configuration has an invalid range.')
  return parsed
}
