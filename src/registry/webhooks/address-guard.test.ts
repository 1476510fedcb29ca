import { expect, it } from 'vitest'
import { AddressGuard } from './address-guard.ts'

function reaching(addresses: 'any' | 'public', host: string, isAssigned: boolean) {
  const resolveService = () => ({ host, port: 443, isAssigned })
  const reach = new AddressGuard({ addresses, resolveService, nothing: 'no aggregated API' })
  return () => reach.ofService({ namespace: 'n', name: 's' }).at.host
}

it.each([
  ['127.0.0.1', false],
  ['127.0.0.1', true],
  ['::1', true],
  ['10.0.0.5', false],
  ['192.168.1.1', false],
  ['169.254.169.254', true],
  ['fd00:ec2::254', true],
  ['0.0.0.0', true],
])('in the network of an operator %s is not called (assigned by the host: %s)', (host, isAssigned) => {
  expect(reaching('public', host, isAssigned)).toThrow(
    /^Service n\/s has an address at which no aggregated API is asked$/,
  )
})

it('public addresses and addresses assigned by the host are called', () => {
  expect(reaching('public', '10.0.0.5', true)()).toBe('10.0.0.5')
  expect(reaching('public', '203.0.113.5', false)()).toBe('203.0.113.5')
  expect(reaching('any', '127.0.0.1', false)()).toBe('127.0.0.1')
})
