import { describe, expect, it } from 'vitest'
import { readRequestInfo } from '../../server/request/request-info.ts'
import { isProxied, proxyRequestOf } from './proxy-request.ts'

const inShop = '/api/v1/namespaces/shop'

function asked(method: string, url: string) {
  const info = readRequestInfo(method, url)
  return isProxied(info) ? proxyRequestOf(info) : undefined
}

describe('a request to a proxy', () => {
  it.each([
    ['GET', 'pods/web/proxy', 'pods', 'http', 'web', '', '/'],
    ['GET', 'pods/web/proxy/', 'pods', 'http', 'web', '', '/'],
    ['GET', 'pods/web:8080/proxy/a/b?c=d&c=e', 'pods', 'http', 'web', '8080', '/a/b?c=d&c=e'],
    ['PUT', 'pods/https:web:8443/proxy/a/', 'pods', 'https', 'web', '8443', '/a/'],
    ['POST', 'services/http:web:80/proxy/a', 'services', 'http', 'web', '80', '/a'],
    ['DELETE', 'services/:web:/proxy/a', 'services', 'http', 'web', '', '/a'],
    ['PATCH', 'services/https:web:/proxy/a', 'services', 'https', 'web', '', '/a'],
    ['HEAD', 'services/web:admin/proxy//a///b', 'services', 'http', 'web', 'admin', '/a/b'],
    ['GET', 'services/web/proxy/%C3%A4%20b;c?q=%2F..%2F', 'services', 'http', 'web', '', '/%C3%A4%20b;c?q=%2F..%2F'],
    ['GET', 'services/web/proxy/namespaces/x/secrets', 'services', 'http', 'web', '', '/namespaces/x/secrets'],
    ['GET', 'pods/web/proxy?watch=true&path=/elsewhere', 'pods', 'http', 'web', '', '/?watch=true&path=%2Felsewhere'],
  ])('%s %s', (method, path, resource, scheme, name, port, url) => {
    const found = asked(method, `${inShop}/${path}`)
    expect(found).toMatchObject({ resource, object: { namespace: 'shop', name }, scheme, port })
    expect(`${found?.path}${found?.query}`).toBe(url)
  })

  it.each([
    'a/../b',
    '..',
    '.',
    '%2e%2e/secrets',
    '.%2E',
    'a%2Fb',
    'a%2fb',
    'a%5Cb',
    'a%00b',
    'a%252Fb',
    '%252e%252e',
    '..%2F..%2Fsecrets',
  ])('has an unambiguous path: not %s', (path) => {
    for (const url of [`${inShop}/pods/web/proxy/${path}`, `/kubernetes/management${inShop}/pods/web/proxy/${path}`])
      expect(() => asked('GET', url)).toThrow('must be in its plain form')
  })

  it.each([
    ['pods/ftp:web:80/proxy', 'invalid pod request "ftp:web:80"'],
    ['pods/http:web:80:81/proxy', 'invalid pod request "http:web:80:81"'],
    ['services/WEB/proxy', 'invalid service request "WEB"'],
    ['services/http:..:80/proxy', 'invalid service request "http:..:80"'],
    ['services/a@b/proxy', 'invalid service request "a@b"'],
    ['services/http::80/proxy', 'invalid service request "http::80"'],
  ])('names an object: not %s', (path, message) => {
    expect(() => asked('GET', `${inShop}/${path}`)).toThrow(message)
  })

  it.each([
    ['OPTIONS', `${inShop}/pods/web/proxy`],
    ['GET', '/api/v1/watch/namespaces/shop/pods/web/proxy'],
  ])('has a served verb: not %s %s', (method, url) => {
    expect(() => asked(method, url)).toThrow('does not allow this method')
  })

  it.each([
    ['GET', `${inShop}/pods/web`],
    ['GET', `${inShop}/pods/web/proxyx/a`],
    ['GET', `${inShop}/endpoints/web/proxy/a`],
    ['GET', '/api/v1/nodes/web/proxy/a'],
    ['GET', '/api/v1/pods/web/proxy'],
    ['GET', '/apis/apps/v1/namespaces/shop/pods/web/proxy'],
    ['GET', `${inShop}/pods/a%2Fproxy/proxy/log`],
  ])('is not: %s %s', (method, url) => {
    if (url.includes('%2F')) expect(() => asked(method, url)).toThrow('plain form')
    else expect(asked(method, url)).toBeUndefined()
  })
})
