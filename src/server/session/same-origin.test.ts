import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { Request } from '../http.ts'
import { requireNotCrossOrigin, requireSameOrigin } from './same-origin.ts'
import { takesSession } from './session-path.ts'

function asked(method: string, headers: IncomingHttpHeaders): Request {
  return {
    method,
    url: '/apis',
    headers: { host: 'platform.example:8443', ...headers },
    rawHeaders: [],
    httpVersion: '1',
    peer: { remoteAddress: '192.0.2.1', localAddress: '127.0.0.1:8443', certificateSubject: undefined },
    clientAddress: '192.0.2.1',
    signal: new AbortController().signal,
    isGone: false,
    readBody: async () => Buffer.alloc(0),
    openBody: () => undefined,
  }
}

const own = { origin: 'https://platform.example:8443' }

describe('a request with a session', () => {
  it.each<readonly [string, IncomingHttpHeaders]>([
    ['GET', {}],
    ['HEAD', { origin: 'https://evil.example' }],
    ['POST', own],
    ['POST', { origin: 'HTTPS://Platform.Example:8443' }],
    ['DELETE', { 'sec-fetch-site': 'same-origin' }],
    ['GET', { ...own, upgrade: 'websocket' }],
    ['PUT', { ...own, host: 'other.example', ':authority': 'platform.example:8443' }],
  ])('may be %s with %j', (method, headers) => {
    expect(() => requireSameOrigin(asked(method, headers))).not.toThrow()
  })

  it.each<readonly [string, IncomingHttpHeaders]>([
    ['POST', {}],
    ['PATCH', { origin: 'null' }],
    ['PUT', { origin: 'https://evil.example' }],
    ['POST', { origin: 'https://platform.example' }],
    ['POST', { origin: 'http://platform.example:8443' }],
    ['POST', { origin: 'https://platform.example:8443.evil.example' }],
    ['POST', { ...own, 'sec-fetch-site': 'cross-site' }],
    ['DELETE', { ...own, 'sec-fetch-site': 'same-site' }],
    ['CONNECT', {}],
    ['GET', { upgrade: 'websocket' }],
    ['GET', { upgrade: 'websocket', origin: 'https://evil.example' }],
    ['POST', { referer: 'https://platform.example:8443/' }],
  ])('may not be %s with %j', (method, headers) => {
    expect(() => requireSameOrigin(asked(method, headers))).toThrow('must come from a page of this server')
  })
})

describe('a log-in', () => {
  it.each<readonly [IncomingHttpHeaders, boolean]>([
    [{}, true],
    [own, true],
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ origin: 'https://evil.example' }, false],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ origin: 'null' }, false],
  ])('with %j is accepted: %j', (headers, isTaken) => {
    const login = () => requireNotCrossOrigin(asked('POST', headers))
    if (isTaken) expect(login).not.toThrow()
    else expect(login).toThrow('from a page of this server')
  })
})

describe('a session', () => {
  it.each([
    ['/apis', true],
    ['/api/v1/pods?watch=1', true],
    ['/kubernetes/project/p/virtualcluster/v/api', true],
    ['/version?x', true],
    ['/', false],
    ['/?x', false],
    ['/index.html', false],
    ['/apiserver', false],
    ['/assets/api', false],
  ])('is accepted at %s: %j', (url, counts) => {
    expect(takesSession(url)).toBe(counts)
  })
})
