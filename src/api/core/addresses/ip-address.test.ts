import { describe, expect, it } from 'vitest'
import { canonicalIPv6 } from '../../../base/network/ipv6-text.ts'
import { isCIDR, parseIP } from './ip-address.ts'

describe('addresses', () => {
  it.each([
    ['10.9.8.7', 'IPv4', [0x0a09, 0x0807]],
    ['010.001.0.255', 'IPv4', [0x0a01, 0x00ff]],
    ['::', 'IPv6', [0, 0, 0, 0, 0, 0, 0, 0]],
    ['2001:db8::ffff', 'IPv6', [0x2001, 0xdb8, 0, 0, 0, 0, 0, 0xffff]],
    ['1:2:3:4:5:6:7:8', 'IPv6', [1, 2, 3, 4, 5, 6, 7, 8]],
    ['64:ff9b::1.2.3.4', 'IPv6', [0x64, 0xff9b, 0, 0, 0, 0, 0x0102, 0x0304]],
    ['::ffff:1.2.3.4', 'IPv4', [0x0102, 0x0304]],
  ])('%s', (text, family, groups) => {
    expect(parseIP(text)).toEqual({ family, groups })
  })

  it.each([
    '',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '1.2.3.-4',
    'a.b.c.d',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7::8',
    '12345::',
    'fe80::1%eth0',
    '1.2.3.4::',
    '::g',
  ])('%j is not an address', (text) => {
    expect(parseIP(text)).toBeUndefined()
  })

  it.each([
    ['10.0.0.0/8', true],
    ['10.0.0.0/33', false],
    ['2001:db8::/64', true],
    ['2001:db8::/129', false],
    ['10.0.0.0', false],
    ['10.0.0.0/', false],
    ['10.0.0.0/08x', false],
  ])('whether %s is a network: %s', (text, expected) => {
    expect(isCIDR(text)).toBe(expected)
  })

  it.each([
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['1:2:3:4:5:6:0:8', '1:2:3:4:5:6:0:8'],
  ])('the canonical form of %s is %s', (text, canonical) => {
    expect(canonicalIPv6(parseIP(text)?.groups ?? [])).toBe(canonical)
  })
})
