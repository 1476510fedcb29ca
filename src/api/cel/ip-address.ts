import { canonicalIPv6 } from '../../base/network/ipv6-text.ts'

/** An address as a number of 32 or 128 bits. */
export interface IpAddress {
  readonly family: 4 | 6
  readonly value: bigint
}

export interface IpPrefix {
  readonly address: IpAddress
  readonly bits: number
}

const ipv4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/

/** Undefined if it is not an address; zones are not supported. */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (text.length > 45) return undefined
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text)
}

function parseIpv4(text: string): IpAddress | undefined {
  const parts = ipv4.exec(text)?.slice(1) ?? []
  const isValid = parts.length === 4 && parts.every((part) => /^(0|[1-9]\d*)$/.test(part) && Number(part) <= 255)
  if (!isValid) return undefined
  return { family: 4, value: parts.reduce((value, part) => value * 256n + BigInt(part), 0n) }
}

const groupCount = 8

function parseIpv6(text: string): IpAddress | undefined {
  const lastColon = text.lastIndexOf(':')
  const tail = text.slice(lastColon + 1)
  if (tail.includes('.')) return withIpv4Tail(text.slice(0, lastColon), tail)
  const halves = text.split('::')
  const [left = '', right] = halves
  if (halves.length > 2) return undefined
  const before = left === '' ? [] : left.split(':')
  const after = right === undefined || right === '' ? [] : right.split(':')
  const missing = groupCount - before.length - after.length
  if (right === undefined ? missing !== 0 : missing < 1) return undefined
  const groups = [...before, ...new Array<string>(missing).fill('0'), ...after]
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return undefined
  return { family: 6, value: groups.reduce((value, group) => value * 65_536n + BigInt(`0x${group}`), 0n) }
}

function withIpv4Tail(start: string, tail: string): IpAddress | undefined {
  const low = parseIpv4(tail)
  const high = low === undefined ? undefined : parseIpv6(`${start}:0:0`)
  return low === undefined || high === undefined ? undefined : { family: 6, value: high.value + low.value }
}

/** `::ffff:1.2.3.4`: an IPv4 address written as IPv6. */
export function isMappedIpv4({ family, value }: IpAddress): boolean {
  return family === 6 && value >> 32n === 0xffffn
}

export function parseIpPrefix(text: string): IpPrefix | undefined {
  const slash = text.lastIndexOf('/')
  const address = slash < 0 ? undefined : parseIpAddress(text.slice(0, slash))
  const bits = text.slice(slash + 1)
  if (address === undefined || !/^(0|[1-9]\d{0,2})$/.test(bits) || Number(bits) > bitsOf(address)) return undefined
  return { address, bits: Number(bits) }
}

function bitsOf({ family }: IpAddress): number {
  return family === 4 ? 32 : 128
}

/** The canonical form of an address. */
export function printIpAddress({ family, value }: IpAddress): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.')
  const groups = Array.from({ length: groupCount }, (_, index) => {
    const shift = BigInt((groupCount - 1 - index) * 16)
    return Number((value >> shift) & 65_535n)
  })
  return canonicalIPv6(groups)
}

export function maskedPrefix({ address, bits }: IpPrefix): IpPrefix {
  const free = BigInt(bitsOf(address) - bits)
  return { address: { ...address, value: (address.value >> free) << free }, bits }
}

export function prefixContains(prefix: IpPrefix, address: IpAddress): boolean {
  if (prefix.address.family !== address.family) return false
  const free = BigInt(bitsOf(address) - prefix.bits)
  return address.value >> free === prefix.address.value >> free
}

/** Special purposes of addresses. */
export const addressUse = {
  isUnspecified: ({ value }: IpAddress): boolean => value === 0n,
  isLoopback: ({ family, value }: IpAddress): boolean => (family === 4 ? value >> 24n === 127n : value === 1n),
  isLinkLocalMulticast: ({ family, value }: IpAddress): boolean =>
    family === 4 ? value >> 8n === 0xe00000n : value >> 120n === 0xffn && ((value >> 112n) & 0xfn) === 2n,
  isLinkLocalUnicast: ({ family, value }: IpAddress): boolean =>
    family === 4 ? value >> 16n === 0xa9fen : value >> 118n === 0x3fan,
  isMulticast: ({ family, value }: IpAddress): boolean =>
    family === 4 ? value >> 28n === 14n : value >> 120n === 0xffn,
} as const

export function isGlobalUnicast(address: IpAddress): boolean {
  const isBroadcast = address.family === 4 && address.value === 0xffffffffn
  const { isUnspecified, isLoopback, isMulticast, isLinkLocalUnicast } = addressUse
  return !isBroadcast && ![isUnspecified, isLoopback, isMulticast, isLinkLocalUnicast].some((is) => is(address))
}
