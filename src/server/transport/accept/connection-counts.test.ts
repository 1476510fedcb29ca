import { expect, it } from 'vitest'
import { ConnectionCounts } from './connection-counts.ts'

it('connections from the many addresses of one IPv6 network count together', () => {
  const counts = new ConnectionCounts()
  for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::3', '192.0.2.1']) counts.add(address)
  expect(counts.from('2001:db8::4')).toBe(3)
  expect(counts.from('2001:db8:0:1::1')).toBe(0)
  expect(counts.from('::ffff:192.0.2.1')).toBe(1)
  counts.remove('2001:db8::1')
  expect(counts.from('2001:db8::1')).toBe(2)
  expect(counts.total).toBe(3)
})
