import { describe, expect, it } from 'vitest'
import { listenAddressArgument } from './listen-address.ts'

describe('the listen address of a server', () => {
  it.each(['127.0.0.1', '192.0.2.10'])('can be %s', (text) => {
    expect(listenAddressArgument(text)).toBe(text)
  })

  it.each(['0.0.0.0', '::1', 'localhost', '', '192.0.2'])('cannot be %j', (text) => {
    expect(() => listenAddressArgument(text)).toThrow('one IPv4 address of this machine')
  })
})
