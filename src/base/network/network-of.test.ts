import { describe, expect, it } from 'vitest'
import { networkOf } from './network-of.ts'

describe('the network that an address belongs to', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['::192.0.2.1', '0:0:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:2:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
  ])('of %j is %j', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  it('may be that of a customer', () => {
    expect(networkOf('2001:db8:1:2:3:4:5:6', 48)).toBe('2001:db8:1::/48')
    expect(networkOf('192.0.2.1', 48)).toBe('192.0.2.1')
    expect(networkOf('::ffff:192.0.2.1', 48)).toBe('192.0.2.1')
  })
})
