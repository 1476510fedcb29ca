/**
 * IPv4 addresses of a block that can be assigned: all but the network address, the first one (the API's) and the
 * broadcast address.
 */
export interface AddressRange {
  readonly cidr: string
  /** The first address, which belongs to the Service of the API server itself. */
  readonly apiAddress: string
  readonly size: number
  /** The address at an index from 0 to size - 1. */
  at(index: number): string
  contains(address: string): boolean
}

const reservedAtStart = 2
const reservedAtEnd = 1

export function addressRange(cidr: string): AddressRange {
  const [, address = '', bits = ''] = /^([^/]*)\/(\d{1,2})$/.exec(cidr) ?? []
  const prefixLength = Number(bits)
  const base = parseIpv4(address)
  if (base === undefined || prefixLength < 8 || prefixLength > 28) {
    throw new Error(`${JSON.stringify(cidr)} is not an IPv4 block from /8 to /28, such as 10.96.0.0/16`)
  }
  const total = 2 ** (32 - prefixLength)
  const network = base - (base % total)
  const size = total - reservedAtStart - reservedAtEnd
  return {
    cidr,
    apiAddress: printIpv4(network + 1),
    size,
    at: (index) => printIpv4(network + reservedAtStart + index),
    contains: (text) => {
      const value = parseIpv4(text)
      return value !== undefined && value > network && value < network + total - reservedAtEnd
    },
  }
}

function parseIpv4(text: string): number | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) {
    return undefined
  }
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0)
}

function printIpv4(value: number): string {
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255].join('.')
}
