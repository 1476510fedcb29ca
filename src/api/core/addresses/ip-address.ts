export type IPFamily = 'IPv4' | 'IPv6'

/** An address as its 16-bit groups: two for IPv4, eight for IPv6. */
export interface IPAddress {
  readonly family: IPFamily
  readonly groups: readonly number[]
}

/**
 * Reads an address as Kubernetes does: leading zeros of IPv4 numbers are allowed, zones are not. An IPv4-mapped IPv6
 * address counts as IPv4.
 */
export function parseIP(text: string): IPAddress | undefined {
  if (!text.includes(':')) {
    const groups = ipv4Groups(text)
    return groups === undefined ? undefined : { family: 'IPv4', groups }
  }
  const groups = ipv6Groups(text)
  if (groups === undefined) return undefined
  return isMappedIPv4(groups) ? { family: 'IPv4', groups: groups.slice(6) } : { family: 'IPv6', groups }
}

export function familyOf(address: string): IPFamily {
  return address.includes(':') ? 'IPv6' : 'IPv4'
}

export function isCIDR(text: string): boolean {
  const slash = text.indexOf('/')
  if (slash < 0) return false
  const length = text.slice(slash + 1)
  if (!/^\d{1,3}$/.test(length)) return false
  const bits = text.slice(0, slash).includes(':') ? 128 : 32
  return parseIP(text.slice(0, slash)) !== undefined && Number(length) <= bits
}

/** Why an address cannot be that of an endpoint. */
export function specialRanges(text: string, address: IPAddress): readonly string[] {
  const [first = 0, second = 0] = address.groups
  const isV4 = address.family === 'IPv4'
  const rest = address.groups.slice(0, -1)
  const problems: [boolean, string][] = [
    [address.groups.every((group) => group === 0), `may not be unspecified (${text})`],
    [
      isV4 ? first >> 8 === 127 : rest.every((group) => group === 0) && address.groups.at(-1) === 1,
      'may not be in the loopback range (127.0.0.0/8, ::1/128)',
    ],
    [
      isV4 ? first === 0xa9fe : (first & 0xffc0) === 0xfe80,
      'may not be in the link-local range (169.254.0.0/16, fe80::/10)',
    ],
    [
      isV4 ? first === 0xe000 && second >> 8 === 0 : (first & 0xff0f) === 0xff02,
      'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
    ],
  ]
  return problems.filter(([holds]) => holds).map(([, text]) => text)
}

function ipv4Groups(text: string): readonly number[] | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,15}$/.test(part) && Number(part) <= 255)) return undefined
  const [a = 0, b = 0, c = 0, d = 0] = parts.map(Number)
  return [(a << 8) | b, (c << 8) | d]
}

function ipv6Groups(text: string): readonly number[] | undefined {
  const halves = text.split('::')
  const isMisplaced = halves.length === 2 && halves[0]?.includes('.')
  if (halves.length > 2 || isMisplaced) return undefined
  const [head = [], tail] = halves.map((half) => (half === '' ? [] : half.split(':')))
  if (tail === undefined) return groupsOf(head, 8)
  const left = groupsOf(head)
  const right = groupsOf(tail)
  if (left === undefined || right === undefined || left.length + right.length > 7) return undefined
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}

/** The groups of colon-separated parts, the last of which may be an IPv4 address. */
function groupsOf(parts: readonly string[], expected?: number): readonly number[] | undefined {
  const groups: number[] = []
  for (const [index, part] of parts.entries()) {
    if (index === parts.length - 1 && part.includes('.')) {
      const embedded = ipv4Groups(part)
      if (embedded === undefined) return undefined
      groups.push(...embedded)
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) {
      groups.push(Number.parseInt(part, 16))
    } else {
      return undefined
    }
  }
  return expected === undefined || groups.length === expected ? groups : undefined
}

function isMappedIPv4(groups: readonly number[]): boolean {
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
}
