import { BlockList, isIPv4 } from 'node:net'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseIP } from './ip-address.ts'
import { isInRange, parseRange } from './ip-range.ts'

const isIn = (address: string, range: string) => {
  const [parsedAddress, parsedRange] = [parseIP(address), parseRange(range)]
  return parsedAddress !== undefined && parsedRange !== undefined && isInRange(parsedAddress, parsedRange)
}

it.each([
  ['10.1.2.3', '10.0.0.0/8', true],
  ['11.1.2.3', '10.0.0.0/8', false],
  ['10.1.2.3', '10.1.2.3', true],
  ['10.1.2.4', '10.1.2.3', false],
  ['10.1.2.4', '0.0.0.0/0', true],
  ['::1', '0.0.0.0/0', false],
  ['fe80::1:2', 'fe80::/10', true],
  ['fec0::1', 'fe80::/10', false],
  ['::ffff:10.0.0.1', '10.0.0.0/8', true],
  ['10.0.0.1', '::ffff:10.0.0.0/104', true],
  ['10.0.0.1', '::ffff:10.0.0.0/8', false],
])('%s in %s: %s', (address, range, expected) => {
  expect(isIn(address, range)).toBe(expected)
})

it.each(['', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/8/8', '10.0.0/8', '::/129', '10.0.0.0/', 'x/8'])(
  '%j is not a range',
  (text) => {
    expect(parseRange(text)).toBeUndefined()
  },
)

it('agrees with Node about any address and range of one family', () => {
  const v4 = fc.ipV4()
  const v6 = fc.ipV6().filter((text) => parseIP(text)?.family === 'IPv6')
  const asked = fc.oneof(
    fc.tuple(v4, v4, fc.integer({ min: 0, max: 32 })),
    fc.tuple(v6, v6, fc.integer({ min: 0, max: 128 })),
  )
  fc.assert(
    fc.property(asked, ([address, network, bits]) => {
      const family = isIPv4(network) ? 'ipv4' : 'ipv6'
      const list = new BlockList()
      list.addSubnet(network, bits, family)
      expect(isIn(address, `${network}/${bits}`)).toBe(list.check(address, family))
    }),
  )
})
