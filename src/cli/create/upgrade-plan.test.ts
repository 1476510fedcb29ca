import { describe, expect, it } from 'vitest'
import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import type { TenantConfig } from '../../api/tenant-config/types.ts'
import { toYaml } from '../../base/json/to-yaml.ts'
import { tenantManifests } from './manifests/all.ts'
import type { TenantDeployment } from './manifests/contract.ts'
import { nothingResolved } from './resolve-resources.ts'
import { surprisingKinds } from './upgrade-plan.ts'

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

/** What is on record of a virtual cluster without objects of some kinds. */
function recorded(without: readonly string[], config: TenantConfig = {}) {
  return tenantManifests(deployment(config)).filter(({ kind }) => !without.includes(kind))
}

const amounts = ['ResourceQuota', 'LimitRange']
const all = [...amounts, 'NetworkPolicy']

describe('an upgrade adds no isolation by surprise', () => {
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
