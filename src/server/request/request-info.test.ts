import { describe, expect, it } from 'vitest'
import { readRequestInfo } from './request-info.ts'

function resource(method: string, url: string): string {
  const info = readRequestInfo(method, url)
  if (info.form === 'path') return `path ${info.verb} ${info.path}`
  const { verb, group, version, namespace, resource, subresource, name } = info
  return `${verb} ${group}/${version} ${namespace}/${resource}/${subresource}/${name}`
}

describe('the parsed request', () => {
  it.each([
    ['GET', '/api/v1/configmaps', 'list /v1 /configmaps//'],
    ['GET', '/api/v1/namespaces/a/configmaps', 'list /v1 a/configmaps//'],
    ['GET', '/api/v1/namespaces/a/configmaps/b', 'get /v1 a/configmaps//b'],
    ['HEAD', '/api/v1/namespaces/a/configmaps/b', 'get /v1 a/configmaps//b'],
    ['POST', '/api/v1/namespaces/a/configmaps', 'create /v1 a/configmaps//'],
    ['PUT', '/api/v1/namespaces/a/configmaps/b', 'update /v1 a/configmaps//b'],
    ['PATCH', '/api/v1/namespaces/a/configmaps/b', 'patch /v1 a/configmaps//b'],
    ['DELETE', '/api/v1/namespaces/a/configmaps/b', 'delete /v1 a/configmaps//b'],
    ['DELETE', '/api/v1/namespaces/a/configmaps', 'deletecollection /v1 a/configmaps//'],
    ['OPTIONS', '/api/v1/namespaces/a/configmaps', ' /v1 a/configmaps//'],
    ['GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles/x', 'get rbac.authorization.k8s.io/v1 /clusterroles//x'],
    ['PUT', '/apis/g.example.com/v1/things/x/status', 'update g.example.com/v1 /things/status/x'],
    ['GET', '/api/v1/namespaces', 'list /v1 /namespaces//'],
    ['GET', '/api/v1/namespaces/a', 'get /v1 a/namespaces//a'],
    ['PUT', '/api/v1/namespaces/a/finalize', 'update /v1 a/namespaces/finalize/a'],
    ['PATCH', '/api/v1/namespaces/a/status', 'patch /v1 a/namespaces/status/a'],
    ['POST', '/api/v1/namespaces/a/serviceaccounts/b/token', 'create /v1 a/serviceaccounts/token/b'],
    ['GET', '/api/v1//namespaces/a//configmaps/', 'list /v1 a/configmaps//'],
    ['GET', '/api/v1/namespaces/a/configmaps/system%3Ab', 'get /v1 a/configmaps//system:b'],
    ['GET', '/kubernetes/management/api/v1/namespaces/a', 'get /v1 a/namespaces//a'],
  ])('%s %s is %s', (method, url, expected) => {
    expect(resource(method, url)).toBe(expected)
  })

  it.each([
    ['/api/v1/configmaps?watch=true', 'watch /v1 /configmaps//'],
    ['/api/v1/configmaps?watch=1', 'watch /v1 /configmaps//'],
    ['/api/v1/configmaps?watch=True', 'watch /v1 /configmaps//'],
    ['/api/v1/configmaps?watch', 'watch /v1 /configmaps//'],
    ['/api/v1/configmaps?watch=false', 'list /v1 /configmaps//'],
    ['/api/v1/configmaps?watch=0', 'list /v1 /configmaps//'],
    ['/api/v1/namespaces/a/configmaps/b?watch=true', 'get /v1 a/configmaps//b'],
    ['/api/v1/watch/namespaces/a/configmaps', 'watch /v1 a/configmaps//'],
    ['/api/v1/watch/namespaces/a/configmaps/b', 'watch /v1 a/configmaps//b'],
    ['/apis/g.example.com/v1/watch/things', 'watch g.example.com/v1 /things//'],
  ])('GET %s is %s', (url, expected) => {
    expect(resource('GET', url)).toBe(expected)
  })

  it.each([
    ['/api/v1/configmaps?fieldSelector=metadata.name%3Dx', 'list /v1 /configmaps//x'],
    ['/api/v1/configmaps?fieldSelector=metadata.name==x&watch=1', 'watch /v1 /configmaps//x'],
    ['/api/v1/configmaps?fieldSelector=a=b,metadata.name=x', 'list /v1 /configmaps//x'],
    ['/api/v1/configmaps?fieldSelector=metadata.name!=x', 'list /v1 /configmaps//'],
    ['/api/v1/configmaps?fieldSelector=metadata.name=..', 'list /v1 /configmaps//'],
    ['/api/v1/configmaps?fieldSelector=metadata.name=a/b', 'list /v1 /configmaps//'],
  ])('%s is authorized as %s', (url, expected) => {
    expect(resource('GET', url)).toBe(expected)
  })

  it.each([
    ['/', 'path get /'],
    ['/healthz', 'path get /healthz'],
    ['/version/', 'path get /version'],
    ['//metrics', 'path get /metrics'],
    ['/api', 'path get /api'],
    ['/api/v1', 'path get /api/v1'],
    ['/apis/g/v1', 'path get /apis/g/v1'],
    ['/apis/g', 'path get /apis/g'],
    ['/api/v1/watch', 'path get /api/v1/watch'],
    ['/apiextra/v1/things', 'path get /apiextra/v1/things'],
    ['/kubernetes/management', 'path get /'],
    ['/kubernetes/managementx/api', 'path get /kubernetes/managementx/api'],
    [
      '/kubernetes/project/p/virtualcluster/v/api/v1/pods',
      'path get /kubernetes/project/p/virtualcluster/v/api/v1/pods',
    ],
  ])('%s is not a resource but %s', (url, expected) => {
    expect(resource('GET', url)).toBe(expected)
  })

  it.each(['/api/v1/%zz', '/%', '/api/v1/namespaces/%ff'])('%s cannot be parsed', (url) => {
    expect(() => readRequestInfo('GET', url)).toThrow('invalid percent escape')
  })

  it('knows when the path continues below a subresource', () => {
    expect(readRequestInfo('GET', '/api/v1/namespaces/a/pods/b/proxy/x')).toMatchObject({ hasRest: true })
    expect(readRequestInfo('GET', '/api/v1/namespaces/a/pods/b/proxy')).toMatchObject({ hasRest: false })
  })
})
