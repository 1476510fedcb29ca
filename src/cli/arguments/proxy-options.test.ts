import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { addProxyOptions, type ProxyFlags, proxySettings, trustedProxiesArgument } from './proxy-options.ts'

function parsed(...given: readonly string[]) {
  const command = addProxyOptions(new Command().exitOverride().configureOutput({ writeErr: () => {} }))
  return proxySettings(command.parse(given, { from: 'user' }).opts<ProxyFlags>())
}

describe('trusted proxies', () => {
  it('are none unless they are named', () => {
    expect(parsed()).toBeUndefined()
    expect(parsed('--forwarded-header', 'forwarded')).toBeUndefined()
  })

  it('are addresses and networks, and write one header', () => {
    expect(parsed('--trusted-proxies', '10.0.0.0/8, 2001:db8::1')).toEqual({
      networks: ['10.0.0.0/8', '2001:db8::1'],
      header: 'x-forwarded-for',
    })
    expect(parsed('--trusted-proxies=::1', '--forwarded-header=forwarded')).toMatchObject({ header: 'forwarded' })
    expect(() => parsed('--forwarded-header=x-real-ip')).toThrow('x-real-ip')
  })

  it.each(['', '10.0.0.0/8,', 'proxy.example.com', '0.0.0.0/0', '10.0.0.0/8,::/0', '10.0.0.0/8;::1'])(
    'are refused as %j',
    (text) => {
      expect(() => trustedProxiesArgument(text)).toThrow()
    },
  )
})
