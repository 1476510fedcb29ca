import { describe, expect, it } from 'vitest'
import { passedRequestHeaders } from './passed-request.ts'

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
    ['Via', '1.1 proxy'],
    ['Proxy-Authorization', 'Basic secret'],
    [':authority', 'elsewhere'],
    ['Expect', '100-continue'],
    ['Keep-Alive', 'timeout=5'],
    ['TE', 'trailers'],
    ['X-Real-IP', '10.0.0.1'],
    ['X-Original-URL', '/admin'],
    ['X-HTTP-Method-Override', 'DELETE'],
    ['X-Anything', 'at all'],
    ['Audit-Id', 'mine'],
    ['Host', 'elsewhere'],
    ['Content-Length ', '5'],
    ['Sec-WebSocket-Protocol', 'base64url.bearer.authorization.k8s.io.c2VjcmV0'],
  ])('%s is not forwarded', (name, value) => {
    expect(passedRequestHeaders(['Accept', '*/*', name, value])).toEqual(['accept', '*/*'])
  })

  it('omit those that the client tied to its connection', () => {
    const raw = ['Connection', 'close, If-Match', 'If-Match', '"1"', 'connection', 'Range', 'Range', 'bytes=0-']
    expect(passedRequestHeaders([...raw, 'If-None-Match', '"2"'])).toEqual(['if-none-match', '"2"'])
  })

  it('include the first of those that must not repeat', () => {
    expect(passedRequestHeaders(['Content-Type', 'application/json', 'content-type', 'text/html'])).toEqual([
      ...['content-type', 'application/json'],
    ])
  })

  it('include repeated ones, and the protocols of a WebSocket except tokens', () => {
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
