import { describe, expect, it } from 'vitest'
import { readOnward } from './onward.ts'

const virtualCluster = { kind: 'virtual-cluster', project: 'p', virtualCluster: 'v' }
const inside = '/kubernetes/project/p/virtualcluster/v'

describe('a request for an API behind the platform', () => {
  it.each([
    [`${inside}/api/v1/pods?watch=1`, virtualCluster, '/api/v1/pods?watch=1'],
    [inside, virtualCluster, '/'],
    [`${inside}/`, virtualCluster, '/'],
    [`${inside}//api//v1`, virtualCluster, '/api/v1'],
    [`${inside}/api/v1/namespaces/a/pods/b/proxy/`, virtualCluster, '/api/v1/namespaces/a/pods/b/proxy/'],
    [`${inside}/apis/x/v1/things/system%3Anode`, virtualCluster, '/apis/x/v1/things/system:node'],
    [`${inside}/api/%76%31/a%20b/c+d;e@f`, virtualCluster, '/api/v1/a%20b/c+d;e@f'],
    [`${inside}/api?labelSelector=a+in+(b,c)&`, virtualCluster, '/api?labelSelector=a%20in%20(b%2Cc)'],
    [`${inside}/api?w%61tch=1&watch=0&x=1&x=2`, virtualCluster, '/api?watch=1&x=1&x=2'],
    [`${inside}/api?fieldSelector=a&fieldSelector=b`, virtualCluster, '/api?fieldSelector=a'],
    [`${inside}/api?`, virtualCluster, '/api'],
    ['/kubernetes/project/p/space/s/api', { kind: 'space', project: 'p', space: 's' }, '/api'],
    ['/kubernetes/cluster/c/version', { kind: 'cluster', cluster: 'c' }, '/version'],
  ])('%s', (url, target, rest) => {
    expect(readOnward(url)).toEqual({ target, url: rest })
  })

  it.each(['/api/v1', '/kubernetes/management/apis', '/kubernetes/project/p', '/kubernetes/project/p/other/x/api'])(
    '%s is not one',
    (url) => {
      expect(readOnward(url)).toBeUndefined()
    },
  )

  it.each([
    `${inside}/../w/api`,
    `${inside}/./api`,
    `${inside}/%2e%2e/w/api`,
    `${inside}/%2E./w/api`,
    `${inside}/api%2fv1`,
    `${inside}/api%5cv1`,
    `${inside}/api\\v1`,
    `${inside}/a%00b`,
    `${inside}/%252e%252e/w`,
    `${inside}/%zz`,
    `${inside}/%ff`,
    `${inside}/api?labelSelector=%ff`,
    `${inside}/api?%ff=a`,
    `${inside}/api?a=1;watch=1`,
    '/kubernetes/project/P/virtualcluster/v/api',
    '/kubernetes/project/../virtualcluster/v/api',
    '/kubernetes/project/p/virtualcluster/%76/api',
    '/kubernetes/project/p/virtualcluster//api',
    '/kubernetes/cluster//api',
  ])('%s is refused', (url) => {
    expect(() => readOnward(url)).toThrow(expect.objectContaining({ code: 400 }))
  })
})
