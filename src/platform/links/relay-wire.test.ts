import { expect, it } from 'vitest'
import { http2Headers } from '../../client/forward/http2-headers.ts'
import { readRelayPath, relayedHeaders, relayPath, unrelayedHeaders } from './relay-wire.ts'

/** Headers as they arrive over HTTP/2: equal names together. */
function carried(headers: readonly string[]): readonly string[] {
  return Object.entries(http2Headers(headers)).flatMap(([name, value]) =>
    [value].flat().flatMap((each) => [name, String(each)]),
  )
}

it('the identity of a caller arrives complete at the other replica', () => {
  const headers = [
    ...['accept', 'application/json', 'accept', 'application/yaml'],
    ...['impersonate-user', 'ann', 'impersonate-uid', '1-2-3'],
    ...['impersonate-group', 'a', 'impersonate-group', 'b, c', 'impersonate-group', '\u00c3\u00bc'],
    ...['impersonate-extra-scopes', 'one', 'impersonate-extra-scopes', 'two'],
    ...['impersonate-extra-acme.com%2fproject', 'x', 'impersonate-extra-acme.com%2fproject', ''],
  ]
  expect(unrelayedHeaders(carried(relayedHeaders(headers, 'token')))).toEqual(headers)
})

it('what the replica says about itself is not passed on', () => {
  const sent = ['impersonate-user', 'root', ...relayedHeaders([], 'token')]
  expect(unrelayedHeaders([':path', '/', ...sent])).toEqual([])
})

it('a path contains the virtual cluster and the request', () => {
  expect(readRelayPath(relayPath('shop', 'dev', '/api/v1?a=b'))).toEqual({
    project: 'shop',
    name: 'dev',
    url: '/api/v1?a=b',
  })
})
