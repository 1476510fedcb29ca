import { type IPAddress, parseIP } from './ip-address.ts'

/** All addresses of a family that begin with the same bits. */
export interface IPRange {
  readonly first: IPAddress
  readonly bits: number
}

const groupBits = 16

/** Reads `10.0.0.0/8`; a single address is a range of one. */
export function parseRange(text: string): IPRange | undefined {
  const [address = '', length, ...more] = text.split('/')
  const first = parseIP(address)
  if (first === undefined || more.length > 0) return undefined
  const most = first.groups.length * groupBits
  if (length === undefined) return { first, bits: most }
  // The prefix of an IPv4-mapped address counts the bits of the IPv6 form.
  const before = address.includes(':') ? 128 - most : 0
  const bits = /^\d{1,3}$/.test(length) ? Number(length) - before : -1
  return bits >= 0 && bits <= most ? { first, bits } : undefined
}

export function isInRange({ family, groups }: IPAddress, { first, bits }: IPRange): boolean {
  if (family !== first.family) return false
  return groups.every((group, index) => {
    const compared = Math.min(groupBits, Math.max(0, bits - index * groupBits))
    const shift = groupBits - compared
    return group >> shift === (first.groups[index] ?? 0) >> shift
  })
}
