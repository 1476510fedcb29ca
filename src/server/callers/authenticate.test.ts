import { describe, expect, it } from 'vitest'
import type { AuthenticationResult, TokenSource } from '../../auth/contract.ts'
import { Exchange } from '../exchange.ts'
import type { Request } from '../http.ts'
import { authenticateBy, readCredential } from './authenticate.ts'

describe('the Authorization header', () => {
  it.each([
    [undefined, { form: 'none' }],
    ['', { form: 'none' }],
    ['Bearer abc', { form: 'bearer', token: 'abc' }],
    ['bearer abc', { form: 'bearer', token: 'abc' }],
    ['BEARER abc', { form: 'bearer', token: 'abc' }],
    ['Bearer  abc', { form: 'malformed' }],
    ['Bearer', { form: 'none' }],
    ['Bearer ', { form: 'none' }],
    ['Basic YTpi', { form: 'none' }],
    ['Bearerabc', { form: 'none' }],
  ])('%j is %j', (header, credential) => {
    expect(readCredential(header)).toEqual(credential)
  })
})

const request: Request = {
  method: 'GET',
  url: '/version',
  headers: { authorization: 'Bearer abc', 'user-agent': 'kubectl/v1.32' },
  rawHeaders: [],
  httpVersion: '2',
  peer: { remoteAddress: '192.0.2.1', localAddress: '127.0.0.1:8443', certificateSubject: undefined },
  clientAddress: '192.0.2.1',
  signal: new AbortController().signal,
  isGone: false,
  readBody: async () => Buffer.alloc(0),
  openBody: () => undefined,
}

function authenticate(result: AuthenticationResult, sources: (TokenSource | undefined)[] = []) {
  const authenticator = {
    authenticateToken: (_token: string, _audiences?: readonly string[], source?: TokenSource) => {
      sources.push(source)
      return result
    },
  }
  return authenticateBy(authenticator)(new Exchange(request, 'audit-id', { atMs: 0, elapsedMs: 0 }))
}

describe('a bearer token', () => {
  it('is passed on with its source', () => {
    const sources: (TokenSource | undefined)[] = []
    authenticate({ outcome: 'authenticated', user: { name: 'alice', groups: [] } }, sources)
    expect(sources).toEqual([{ address: '192.0.2.1', userAgent: 'kubectl/v1.32' }])
  })

  it.each<readonly [AuthenticationResult, object]>([
    [{ outcome: 'unknown' }, { code: 401, message: 'Unauthorized' }],
    [
      { outcome: 'refused', message: 'the access key is disabled', causeReason: 'KeyDisabled' },
      {
        code: 401,
        status: { details: { causes: [{ reason: 'KeyDisabled', message: 'the access key is disabled' }] } },
      },
    ],
    [
      { outcome: 'refused', message: 'too many', retryAfterSeconds: 7 },
      { code: 429, status: { details: { retryAfterSeconds: 7 } } },
    ],
  ])('that is %o is refused with %o', (result, refusal) => {
    expect(refusalOf(() => authenticate(result))).toMatchObject(refusal)
  })
})

function refusalOf(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  return undefined
}
