import { describe, expect, it } from 'vitest'
import type { VirtualClusterInstance } from '../../api/types/management.ts'
import { usualPlaceFor } from './usual-place.ts'

const instance = (
  project: string,
  name: string,
  spec: VirtualClusterInstance['spec'] = {},
): VirtualClusterInstance => ({
  apiVersion: 'management.platform.internal/v1',
  kind: 'VirtualClusterInstance',
  metadata: { name, namespace: `p-${project}` },
  spec: { clusterRef: { cluster: 'host' }, ...spec },
})
const namespaceOf = (project: string, name: string) => usualPlaceFor(instance(project, name))?.namespace

describe('the usual place of a virtual cluster', () => {
  it('contains project and name, and is unique', () => {
    expect(namespaceOf('shop', 'web')).toMatch(/^tenant-shop-web-[0-9a-f]{12}$/)
    expect(namespaceOf('shop', 'a-web')).not.toBe(namespaceOf('shop-a', 'web'))
  })

  it('has a name that is not too long', () => {
    const [one, other] = ['a', 'b'].map((end) => namespaceOf('s'.repeat(40), 'w'.repeat(62) + end))
    expect(one).toMatch(/^[a-z0-9-]{63}$/)
    expect(one).not.toBe(other)
  })

  it.each([{}, { config: '' }, { config: '{}\n' }, { clusterRef: { cluster: 'host', virtualCluster: 'web' } }])(
    'is given to one with %j',
    (spec) => {
      const namespace = namespaceOf('shop', 'web')
      expect(usualPlaceFor(instance('shop', 'web', spec))).toEqual({
        cluster: 'host',
        namespace,
        virtualCluster: 'web',
      })
    },
  )

  it.each([
    { config: 'sync: {}' },
    { config: '# nothing\n{}' },
    { clusterRef: {} },
    { clusterRef: { cluster: 'host', namespace: 'kube-system' } },
    { clusterRef: { cluster: 'host', namespace: 'tenant-web' } },
    { clusterRef: { cluster: 'host', virtualCluster: 'other' } },
  ])('is not given to one with %j', (spec) => {
    expect(usualPlaceFor(instance('shop', 'web', spec))).toBeUndefined()
  })

  it('is not given outside projects, nor under a name that no namespace can have', () => {
    const { metadata, ...rest } = instance('shop', 'web')
    expect(usualPlaceFor({ ...rest, metadata: { ...metadata, namespace: 'default' } })).toBeUndefined()
    expect(namespaceOf('shop', 'w.b')).toBeUndefined()
    expect(namespaceOf('s'.repeat(60), 'w.b')).toBeUndefined()
    expect(namespaceOf('shop', 'w'.repeat(64))).toBeUndefined()
  })
})
