import { describe, expect, it } from 'vitest'
import type { ForwardedHeader } from './forwarded.ts'
import { TrustedProxies } from './trusted-proxies.ts'

const networks = ['10.0.0.0/8', '2001:db8:1::/48', '::1']
const proxy = '10.0.0.1'

function clientOf(header: ForwardedHeader, value: string | string[] | undefined): string {
  return new TrustedProxies({ networks, header }).clientOf(proxy, { [header]: value })
}

describe('the client behind a trusted proxy, by X-Forwarded-For', () => {
  it.each<[string, string | string[] | undefined, string]>([
    ['the address that the proxy has seen', '192.0.2.7', '192.0.2.7'],
    ['the last one that is no proxy', '192.0.2.7, 10.1.2.3, 2001:db8:1::5', '192.0.2.7'],
    ['not an address that the client has prepended', '203.0.113.9, 192.0.2.7', '192.0.2.7'],
    ['not the address of a proxy that the client has prepended', '10.9.9.9, 192.0.2.7', '192.0.2.7'],
    ['not an address in a separate header of the client', ['203.0.113.9', '192.0.2.7'], '192.0.2.7'],
    ['the farthest proxy, if there are only proxies', '10.1.1.1, 10.2.2.2', '10.1.1.1'],
    ['the proxy, if it does not say', undefined, proxy],
    ['the proxy, if it says nothing', '', proxy],
    ['the proxy, if it does not know', 'unknown', proxy],
    ['the proxy behind which there is garbage', '192.0.2.7, <script>, 10.2.2.2', '10.2.2.2'],
    ['the proxy behind which there is a gap', '192.0.2.7,,10.2.2.2', '10.2.2.2'],
    ['without the port', '192.0.2.7:41234', '192.0.2.7'],
    ['without brackets', '[2001:db8:2::7]', '2001:db8:2::7'],
    ['without brackets and port', '[2001:db8:2::7]:443', '2001:db8:2::7'],
    ['in one form', '2001:0DB8:0002:0:0:0:0:0007', '2001:db8:2::7'],
    ['as IPv4 if it is', '::ffff:192.0.2.7', '192.0.2.7'],
    ['as IPv4 if it is, in hexadecimal digits', '::ffff:c000:207', '192.0.2.7'],
    ['behind a proxy that is IPv4 as IPv6', '192.0.2.7, ::ffff:10.0.0.9', '192.0.2.7'],
    ['behind a proxy that is written in another form', '192.0.2.7, 0:0:0:0:0:0:0:1', '192.0.2.7'],
    ['no address of one machine alone', 'fe80::1%eth0', proxy],
    ['no number with zeros before it', '0300.0.2.7', proxy],
    ['no number in place of an address', '3221225991', proxy],
    ['no name', 'localhost', proxy],
    ['no address with something behind the port', '192.0.2.7:80:90', proxy],
    ['nothing of a list without an end', `203.0.113.9, ${'10.0.0.2, '.repeat(40)}10.0.0.3`, '10.0.0.2'],
  ])('%s', (_, value, client) => {
    expect(clientOf('x-forwarded-for', value)).toBe(client)
  })
})

describe('the client behind a trusted proxy, by Forwarded', () => {
  it.each<[string, string | string[], string]>([
    ['the address that the proxy has seen', 'for=192.0.2.7;proto=https;by=10.0.0.1', '192.0.2.7'],
    ['whatever the letters', 'proto=http; For="[2001:DB8:2::7]:4711"', '2001:db8:2::7'],
    ['the last one that is no proxy', 'for=203.0.113.9, for=192.0.2.7, for="[2001:db8:1::5]"', '192.0.2.7'],
    ['also after a quote that the client has left open', 'for="203.0.113.9, for=192.0.2.7', '192.0.2.7'],
    [
      'also after one that would end in the text of the proxy',
      'for=203.0.113.9;x=", for="[2001:db8:2::7]"',
      '2001:db8:2::7',
    ],
    ['also after an escaped quote', 'for=203.0.113.9;x="\\", for=192.0.2.7;by="10.0.0.1:443"', '192.0.2.7'],
    ['the proxy, if a name is hidden', 'for=_hidden', proxy],
    ['the proxy, if it does not know', 'for=unknown', proxy],
    ['the proxy, if it says two', 'for=192.0.2.7;for=203.0.113.9', proxy],
    ['the proxy, if it says who it is alone', 'by=10.0.0.1', proxy],
    ['the proxy, if it is no list of pairs', '192.0.2.7', proxy],
    ['one header after the other', ['for=203.0.113.9', 'for=192.0.2.7'], '192.0.2.7'],
  ])('%s', (_, value, client) => {
    expect(clientOf('forwarded', value)).toBe(client)
  })

  it('is not read from the other header, which the client may have sent', () => {
    const headers = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=192.0.2.7' }
    expect(new TrustedProxies({ networks, header: 'forwarded' }).clientOf(proxy, headers)).toBe('192.0.2.7')
    expect(new TrustedProxies({ networks, header: 'x-forwarded-for' }).clientOf(proxy, headers)).toBe('203.0.113.9')
  })

  it('is found in linear time, whatever the client has sent', () => {
    for (const piece of [',', '",', 'for="', ';', 'for=10.0.0.2,', '\\"']) {
      // Quadratic time would be hours.
      expect(clientOf('forwarded', piece.repeat(1_000_000))).toBe(proxy)
      expect(clientOf('x-forwarded-for', piece.repeat(1_000_000))).toBe(proxy)
    }
  })
})
