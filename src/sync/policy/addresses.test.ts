import { describe, expect, it } from 'vitest'
import { addressCheck, isAmong } from './addresses.ts'

const none = { denied: [], allowed: [] }
const check = addressCheck(none)

describe('allowed addresses of endpoints', () => {
  it.each([
    '10.0.0.1',
    '192.168.1.1',
    '172.16.0.9',
    '100.64.0.1',
    '203.0.113.7',
    '2001:db8::1',
    'fd12::1',
    '2001:db8:0:0:0:0:0:0001',
  ])('include %s', (address) => {
    expect(check(address)).toBeUndefined()
  })

  it.each([
    ['127.0.0.1', 'is a loopback address'],
    ['127.255.255.254', 'is a loopback address'],
    ['::1', 'is a loopback address'],
    ['0:0:0:0:0:0:0:1', 'is a loopback address'],
    ['169.254.169.254', 'is a link-local address'],
    ['169.254.20.10', 'is a link-local address'],
    ['fe80::1', 'is a link-local address'],
    ['febf::1', 'is a link-local address'],
    ['FE80::1', 'is a link-local address'],
    ['0.0.0.0', 'is an unspecified address'],
    ['0.1.2.3', 'is an unspecified address'],
    ['::', 'is an unspecified address'],
    ['224.0.0.1', 'is a multicast or reserved address'],
    ['255.255.255.255', 'is a multicast or reserved address'],
    ['ff02::1', 'is a multicast or reserved address'],
    ['168.63.129.16', 'is where a cloud tells its machines who they are'],
    ['100.100.100.200', 'is where a cloud tells its machines who they are'],
    ['fd00:ec2::254', 'is where a cloud tells its machines who they are'],
    ['::127.0.0.1', 'is an IPv6 address that embeds an IPv4 address'],
    ['::7f00:1', 'is an IPv6 address that embeds an IPv4 address'],
    ['64:ff9b::7f00:1', 'is an IPv6 address that embeds an IPv4 address'],
    ['64:ff9b::169.254.169.254', 'is an IPv6 address that embeds an IPv4 address'],
    ['::ffff:0:127.0.0.1', 'is an IPv6 address that embeds an IPv4 address'],
    ['::ffff:0:a60:1', 'is an IPv6 address that embeds an IPv4 address'],
    ['2002:7f00:1::', 'is an IPv6 address that embeds an IPv4 address'],
    ['2001:0:1::', 'is an IPv6 address that embeds an IPv4 address'],
    ['::ffff:127.0.0.1', 'is an IPv4 address written as IPv6'],
    ['::ffff:7f00:1', 'is an IPv4 address written as IPv6'],
    ['::ffff:10.0.0.1', 'is an IPv4 address written as IPv6'],
    ['0:0:0:0:0:FFFF:10.0.0.1', 'is an IPv4 address written as IPv6'],
    ['127.000.000.001', 'has leading zeros'],
    ['0177.0.0.1', 'has leading zeros'],
    ['010.0.0.1', 'has leading zeros'],
    ['10.0.0.01', 'has leading zeros'],
  ])('exclude %s: %s', (address, why) => {
    expect(check(address)).toContain(`"${address}" ${why}`)
  })

  it.each([['fe80::1%eth0'], ['127.1'], ['2130706433'], ['0x7f.0.0.1'], ['localhost'], [''], [undefined], [7], [{}]])(
    'exclude %j, whatever server returns it',
    (address) => {
      expect(check(address)).toBe('it is no address')
    },
  )

  it('exclude those of the host, and those that the operator denies', () => {
    const by = addressCheck({ host: ['10.96.0.0/12', '192.0.2.1'], denied: ['10.20.0.0/16'], allowed: [] })
    expect(by('10.100.0.1')).toContain('belongs to the host')
    expect(by('192.0.2.1')).toContain('belongs to the host')
    expect(by('192.0.2.2')).toBeUndefined()
    expect(by('10.20.1.1')).toContain('is denied by the operator')
  })

  it('include those that the operator allows, but never another spelling of them', () => {
    const by = addressCheck({ host: ['10.96.0.0/12'], denied: [], allowed: ['10.96.0.10', '169.254.20.10/32'] })
    expect(by('10.96.0.10')).toBeUndefined()
    expect(by('169.254.20.10')).toBeUndefined()
    expect(by('10.96.0.11')).toContain('belongs to the host')
    expect(by('::ffff:10.96.0.10')).toContain('written as IPv6')
    expect(by('010.96.0.10')).toContain('leading zeros')
  })

  it('are checked against ranges in the same way', () => {
    expect(isAmong('203.0.113.7', ['203.0.113.0/24'])).toBe(true)
    expect(isAmong('::ffff:203.0.113.7', ['203.0.113.0/24'])).toBe(false)
    expect(isAmong('203.0.113.007', ['203.0.113.0/24'])).toBe(false)
    expect(isAmong('203.0.113.7', [])).toBe(false)
  })
})
