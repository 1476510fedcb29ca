import { BlockList, isIP } from 'node:net'

/** Networks that are never a legitimate target, metadata services, and IPv4 addresses embedded in IPv6 ones. */
const never = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  never.addSubnet(network, bits, 'ipv4')
}
for (const [network, bits] of [
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::', 32],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
] as const) {
  never.addSubnet(network, bits, 'ipv6')
}

const inside = new BlockList()
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
] as const) {
  inside.addSubnet(network, bits, 'ipv4')
}
for (const [network, bits] of [
  ['::', 96],
  ['fc00::', 7],
  ['fec0::', 10],
] as const) {
  inside.addSubnet(network, bits, 'ipv6')
}

/**
 * Whether the platform may connect to an address that others can influence. Metadata services of clouds are never
 * allowed. Private addresses are allowed only under a name that the operator has configured: no other name may lead
 * into this network.
 */
export function isAllowedAddress(address: string, mayBeInside: boolean): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  return !never.check(address, family) && (mayBeInside || !inside.check(address, family))
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

export function isLoopback(address: string): boolean {
  return loopback.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
