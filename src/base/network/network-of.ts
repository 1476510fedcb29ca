/**
 * How strangers are counted: by address with IPv4, and by network with IPv6, where one machine can use any address in
 * its 64-bit network, and one customer of a provider any in 48 bits. An IPv4 address counts as the same one when it is
 * written as IPv6, as sockets that listen on both do.
 */
export function networkOf(address: string, bits: 48 | 64 = 64): string {
  if (!address.includes(':')) return address
  const [withoutZone = ''] = address.split('%')
  const groups = groupsOf(withoutZone)
  return mappedAddress(groups) ?? `${groups.slice(0, bits / 16).join(':')}::/${bits}`
}

/** Eight groups, each in its shortest form. A dotted ending counts as two groups. */
function groupsOf(address: string): readonly string[] {
  const [head = '', tail] = inHex(address).split('::')
  const start = partsOf(head)
  const end = partsOf(tail ?? '')
  const zeros = tail === undefined ? 0 : Math.max(8 - start.length - end.length, 0)
  return [...start, ...new Array<string>(zeros).fill('0'), ...end].map((group) =>
    Number.parseInt(group, 16).toString(16),
  )
}

function partsOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(':')
}

function inHex(address: string): string {
  return address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a: string, b: string, c: string, d: string) => {
    const pair = (high: string, low: string) => (Number(high) * 256 + Number(low)).toString(16)
    return `${pair(a, b)}:${pair(c, d)}`
  })
}

function mappedAddress(groups: readonly string[]): string | undefined {
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return undefined
  return groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .map((pair) => `${pair >> 8}.${pair & 255}`)
    .join('.')
}
