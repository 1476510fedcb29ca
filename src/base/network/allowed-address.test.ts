import { expect, it } from 'vitest'
import { isAllowedAddress } from './allowed-address.ts'

it.each([
  '0.0.0.0',
  '169.254.169.254',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '224.0.0.1',
  '::',
  'fe80::1',
  'fd00:ec2::254',
  '::ffff:0:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::a9fe:a9fe',
  '2002:a9fe:a9fe::1',
  '2001:0:a9fe:a9fe::1',
  '::ffff:169.254.169.254',
])('no provider is called at %s, under any name', (address) => {
  expect(isAllowedAddress(address, true)).toBe(false)
})

it.each([
  '10.0.0.1',
  '127.0.0.1',
  '100.64.0.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  'fd12::1',
  'fec0::1',
  '::1',
  '::10.0.0.1',
  '::ffff:10.0.0.1',
])("a provider is called at %s only under the operator's host name", (address) => {
  expect([isAllowedAddress(address, true), isAllowedAddress(address, false)]).toEqual([true, false])
})

it.each(['192.0.2.1', '2001:db8::1'])('any provider is called at %s', (address) => {
  expect(isAllowedAddress(address, false)).toBe(true)
})
