import { BlockList, isIP, isIPv6, SocketAddress } from 'node:net'

/** The union of several networks. */
export interface Networks {
  has(address: string): boolean
}

/** Describes what is wrong with a network's notation; undefined if it is valid. */
export function networkProblem(text: string): string | undefined {
  const { address, bits } = partsOf(text)
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return `"${text}" is neither an address nor a network, such as 10.0.0.0/8`
  if (canonicalAddress(address) !== address && address.toLowerCase().startsWith('::ffff:')) {
    return `"${text}" is IPv4: write it as such`
  }
  if (bits === undefined) return undefined
  if (!/^[0-9]{1,3}$/.test(bits) || Number(bits) > longest(address)) return `"${text}" has no valid number of bits`
  return Number(bits) === 0 ? `"${text}" would be every address` : undefined
}

/** The texts must be valid according to `networkProblem`. */
export function networksOf(texts: readonly string[]): Networks {
  const list = new BlockList()
  for (const text of texts) {
    const { address, bits } = partsOf(text)
    list.addSubnet(address, Number(bits ?? longest(address)), isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  return {
    has: (given) => {
      const address = canonicalAddress(given)
      return address !== undefined && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
    },
  }
}

const mapped = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/

/**
 * An address in its one shortest form, converted to IPv4 where possible. Undefined: it is not an address, or is valid
 * on one machine only.
 */
export function canonicalAddress(text: string): string | undefined {
  const family = isIP(text)
  if (family === 4) return text
  if (family === 0 || text.includes('%')) return undefined
  const { address } = new SocketAddress({ address: text, family: 'ipv6' })
  return address.replace(mapped, '')
}

function partsOf(text: string): { readonly address: string; readonly bits: string | undefined } {
  const slash = text.indexOf('/')
  return slash < 0 ? { address: text, bits: undefined } : { address: text.slice(0, slash), bits: text.slice(slash + 1) }
}

function longest(address: string): number {
  return isIPv6(address) ? 128 : 32
}
