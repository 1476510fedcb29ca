import { describe, expect, it } from 'vitest'
import type { KubeObject, ObjectMeta } from '../../api/object.ts'
import type { AccessKey, AccessKeyScope } from '../../api/types/management.ts'
import { madeFor, ownSecret } from './own-secrets.ts'

const value = 'v'.repeat(40)
const holds = (text: string) => text === value

function keyWith(scope: AccessKeyScope): AccessKey {
  return {
    apiVersion: 'management.platform.internal/v1',
    kind: 'OwnedAccessKey',
    metadata: { name: 'tenant-red-x', creationTimestamp: '2030-01-01T10:00:00Z' },
    spec: { scope },
  }
}

const scope = { roles: [{ role: 'tenant', projects: ['shop'], virtualClusters: ['red'] }] }
const instance: KubeObject = {
  apiVersion: 'v1',
  kind: 'VirtualClusterInstance',
  metadata: {},
  spec: { clusterRef: { namespace: 'team-red', virtualCluster: 'red' } },
}

function secret(metadata: Partial<ObjectMeta> = {}, held = value): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'tenant-platform-api-key',
      namespace: 'team-red',
      creationTimestamp: '2030-01-01T10:00:02Z',
      labels: { 'tenant.internal/access-key': 'tenant-red-x' },
      ...metadata,
    },
    data: { accessKey: Buffer.from(held).toString('base64') },
  }
}

const tenant = { key: keyWith(scope), holds, instance }
const own = { cluster: 'host', secret: secret() }

describe('the Secret that was made with a key', () => {
  it('is found by what only its creation can have left behind', () => {
    expect(ownSecret(tenant, [own])).toEqual({
      cluster: 'host',
      namespace: 'team-red',
      name: 'tenant-platform-api-key',
    })
  })

  it.each([
    ['has another name', secret({ name: 'mine' })],
    ['is in another namespace than the virtual cluster', secret({ namespace: 'thief' })],
    ['was made later', secret({ creationTimestamp: '2030-01-01T11:00:00Z' })],
    ['was made before', secret({ creationTimestamp: '2029-12-31T00:00:00Z' })],
    ['does not say when it was made', secret({ creationTimestamp: '' })],
    ['has the label of another key', secret({ labels: { 'tenant.internal/access-key': 'other' } })],
    ['has no label', secret({ labels: {} })],
    ['holds another value', secret({}, 'w'.repeat(40))],
  ])('is not one that %s', (_, forged) => {
    expect(ownSecret(tenant, [{ cluster: 'host', secret: forged }])).toBeUndefined()
  })

  it('is neither of two that match', () => {
    expect(ownSecret(tenant, [own, { cluster: 'other', secret: secret() }])).toBeUndefined()
  })

  it('does not exist if the platform knows nothing about the virtual cluster, or that it is elsewhere', () => {
    expect(ownSecret({ ...tenant, instance: undefined }, [own])).toBeUndefined()
    const elsewhere = { ...instance, spec: { clusterRef: { cluster: 'other', namespace: 'team-red' } } }
    expect(ownSecret({ ...tenant, instance: elsewhere }, [own])).toBeUndefined()
  })
})

it.each<readonly [AccessKeyScope, boolean]>([
  [scope, true],
  [{ ...scope, projects: [] }, true],
  [{}, false],
  [{ ...scope, projects: [{ project: 'shop' }] }, false],
  [{ ...scope, allowPlatformCli: true }, false],
  [{ roles: [...scope.roles, ...scope.roles] }, false],
  [{ roles: [{ role: 'tenant', projects: ['*'] }] }, false],
  [{ roles: [{ role: 'tenant', projects: ['shop'], virtualClusters: ['*'] }] }, false],
  [{ roles: [{ role: 'tenant', projects: ['shop', 'other'], virtualClusters: ['red'] }] }, false],
  [{ roles: [{ role: 'agent', projects: ['shop'], virtualClusters: ['red'] }] }, false],
])('a key with the scope %j was made for one virtual cluster: %s', (scope, expected) => {
  expect(madeFor(keyWith(scope)) !== undefined).toBe(expected)
})
