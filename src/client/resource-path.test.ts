import { describe, expect, it } from 'vitest'
import type { ResourceType } from './contract.ts'
import { collectionPath, objectPath, withQuery } from './resource-path.ts'

const secrets = { group: '', version: 'v1', resource: 'secrets', kind: 'Secret', namespaced: true, hasStatus: false }
const nodes: ResourceType = { ...secrets, resource: 'nodes', kind: 'Node', namespaced: false }
const leases: ResourceType = { ...secrets, group: 'coordination.k8s.io', resource: 'leases', kind: 'Lease' }

describe('a path', () => {
  it.each([
    [secrets, '', '/api/v1/secrets'],
    [secrets, 'a', '/api/v1/namespaces/a/secrets'],
    [nodes, '', '/api/v1/nodes'],
    [leases, 'a', '/apis/coordination.k8s.io/v1/namespaces/a/leases'],
  ])('to all objects of a resource', (type, namespace, path) => {
    expect(collectionPath(type, namespace)).toBe(path)
  })

  it.each([
    [secrets, { namespace: 'a', name: 'b' }, '/api/v1/namespaces/a/secrets/b'],
    [nodes, { namespace: '', name: 'b' }, '/api/v1/nodes/b'],
    [
      leases,
      { namespace: 'a', name: 'system:x/../y' },
      '/apis/coordination.k8s.io/v1/namespaces/a/leases/system%3Ax%2F..%2Fy',
    ],
  ])('to one object', (type, key, path) => {
    expect(objectPath(type, key)).toBe(path)
    expect(objectPath(type, key, 'status')).toBe(`${path}/status`)
  })

  it.each([
    [secrets, { namespace: 'a', name: '' }],
    [secrets, { namespace: 'a', name: '..' }],
    [secrets, { namespace: '', name: 'b' }],
    [secrets, { namespace: '..', name: 'b' }],
    [secrets, { namespace: '.', name: 'b' }],
  ])('never leads to another path', (type, key) => {
    expect(() => objectPath(type, key)).toThrow()
  })

  it('carries a query', () => {
    expect(withQuery('/a', { labelSelector: 'x in (a,b)', limit: undefined })).toBe('/a?labelSelector=x+in+%28a%2Cb%29')
    expect(withQuery('/a', {})).toBe('/a')
  })
})
