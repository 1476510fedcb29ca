import { describe, expect, it } from 'vitest'
import { passedRequestHeaders } from './passed-headers.ts'

describe('headers of a request', () => {
  it.each([
    ['Authorization', 'Bearer secret'],
    ['Cookie', 'session=secret'],
    ['Impersonate-User', 'admin'],
    ['impersonate-group', 'system:masters'],
    ['IMPERSONATE-EXTRA-scopes', 'all'],
    ['X-Remote-User', 'admin'],
    ['X-Forwarded-For', '10.0.0.1'],
    ['Tenant-Upgrade', 'websocket'],
    ['Transfer-Encoding', 'chunked'],
    ['Via', '1.1 somebody'],
    ['Proxy-Authorization', 'Basic secret'],
    [':authority', 'elsewhere'],
    ['Expect', '100-continue'],
    ['Sec-WebSocket-Protocol', 'base64url.bearer.authorization.k8s.io.c2VjcmV0'],
  ])('%s stays here', (name, value) => {
    expect(passedRequestHeaders(['Accept', '*/*', name, value])).toEqual(['accept', '*/*'])
  })

  it('goes without what the client tied to its connection', () => {
    expect(passedRequestHeaders(['Connection', 'close, X-Mine', 'X-Mine', '1', 'X-Other', '2'])).toEqual([
      'x-other',
      '2',
    ])
  })

  it('goes with repeated ones, and with the protocols of a WebSocket but for tokens', () => {
    expect(
      passedRequestHeaders([
        ...['X-Stream-Protocol-Version', 'v4.channel.k8s.io', 'X-Stream-Protocol-Version', 'channel.k8s.io'],
        ...['Sec-WebSocket-Protocol', 'base64url.bearer.authorization.k8s.io.c2VjcmV0, v5.channel.k8s.io'],
      ]),
    ).toEqual([
      ...['x-stream-protocol-version', 'v4.channel.k8s.io', 'x-stream-protocol-version', 'channel.k8s.io'],
      ...['sec-websocket-protocol', 'v5.channel.k8s.io'],
    ])
  })
})
