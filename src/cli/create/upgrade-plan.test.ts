import { describe, expect, it } from 'vitest'
import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import type { TenantConfig } from '../../api/tenant-config/types.ts'
import { toYaml } from '../../base/json/to-yaml.ts'
import { tenantManifests } from './manifests/all.ts'
import type { TenantDeployment } from './manifests/contract.ts'
import { nothingResolved } from './resolve-resources.ts'
import { movesToEtcd, surprisingKinds } from './upgrade-plan.ts'

function deployment(config: TenantConfig = {}): TenantDeployment {
  return {
    name: 'demo',
    namespace: 'tenant-demo',
    config: effectiveConfig(config),
    configText: toYaml(config),
    image: 'tenant-platform:1',
    resources: nothingResolved,
    ownsNamespace: true,
  }
}

/** The recorded objects of a virtual cluster, without those of some kinds. */
function recorded(without: readonly string[], config: TenantConfig = {}) {
  return tenantManifests(deployment(config)).filter(({ kind }) => !without.includes(kind))
}

const amounts = ['ResourceQuota', 'LimitRange']
const all = [...amounts, 'NetworkPolicy']

describe('an upgrade adds no isolation that was not requested', () => {
  it.each<[string, readonly string[], TenantConfig, readonly string[], readonly string[]]>([
    ['to a virtual cluster that has it all', [], {}, [], []],
    ['to one that is older', all, {}, [], all],
    ['to one that was made without rights on quotas', amounts, {}, [], amounts],
    ['where tenant.yaml asks for a quota', all, {}, ['resourceQuota'], ['NetworkPolicy']],
    ['where tenant.yaml asks for all', all, {}, ['limitRange', 'networkPolicies'], []],
    ['where it was switched off before', all, { sync: { toHost: { pods: { enabled: false } } } }, [], []],
  ])('%s', (_, without, before, asked, surprising) => {
    expect(surprisingKinds(deployment(), recorded(without, before), asked)).toEqual(surprising)
  })
})

describe('an upgrade does not change where the store is', () => {
  const onEtcd = (prefix?: string): TenantConfig => ({
    controlPlane: { storage: { etcd: { addresses: 'http://a:2379', ...(prefix !== undefined && { prefix }) } } },
  })

  it.each<[string, TenantConfig, TenantConfig]>([
    ['a volume', {}, { controlPlane: { storage: { size: '5Gi' } } }],
    ['an etcd with other members', onEtcd(), { controlPlane: { storage: { etcd: { addresses: 'http://b:2379' } } } }],
    ['an etcd whose prefix is named now', onEtcd(), onEtcd('/virtual-clusters/tenant-demo/demo')],
  ])('%s', (_, before, now) => {
    expect(movesToEtcd(deployment(now), recorded([], before))).toBe(false)
  })

  it.each<[string, TenantConfig, TenantConfig, string]>([
    ['from etcd', onEtcd('/a'), {}, 'keeps its objects in etcd under /a'],
    ['to another prefix', onEtcd('/a'), onEtcd('/b'), 'leave controlPlane.storage.etcd of tenant.yaml as it was'],
  ])('and refuses to move %s', (_, before, now, message) => {
    expect(() => movesToEtcd(deployment(now), recorded([], before))).toThrow(message)
  })

  it('except from a volume to etcd', () => {
    expect(movesToEtcd(deployment(onEtcd()), recorded([], {}))).toBe(true)
  })
})
