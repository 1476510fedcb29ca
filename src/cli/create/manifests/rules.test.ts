import { describe, expect, it } from 'vitest'
import { deployment } from '../../../../tests/support/examples/tenant-deployment.ts'
import { effectiveConfig } from '../../../api/tenant-config/defaults.ts'
import type { TenantConfig } from '../../../api/tenant-config/types.ts'
import type { ManifestRule } from '../../host/manifest.ts'
import { nothingResolved } from '../resolve-resources.ts'
import { tenantManifests } from './all.ts'
import { hostRules } from './rules.ts'

/**
 * All resources, as `resource.group`, on which the rules allow a verb, except connections into Pods, which are not
 * objects.
 */
function reach(rules: readonly ManifestRule[], verb: string): readonly string[] {
  return rules
    .filter(({ verbs, resourceNames }) => verbs.includes(verb) && resourceNames === undefined)
    .flatMap(({ apiGroups, resources }) =>
      apiGroups.flatMap((group) => resources.map((resource) => (group === '' ? resource : `${resource}.${group}`))),
    )
    .filter((resource) => resource !== 'pods/proxy')
}

const readingNodes: readonly ManifestRule[] = [
  { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: ['metrics.k8s.io'], resources: ['nodes'], verbs: ['get', 'list'] },
]

const always = ['endpoints', 'services', 'secrets', 'configmaps', 'persistentvolumeclaims', 'pods']

describe('the rights of a tenant on its host', () => {
  it.each<[string, TenantConfig, readonly string[]]>([
    ['by default', {}, always],
    [
      'without disabled kinds',
      {
        sync: {
          toHost: {
            endpoints: { enabled: false },
            services: { enabled: false },
            secrets: { enabled: false },
            configMaps: { enabled: false },
            persistentVolumeClaims: { enabled: false },
            pods: { enabled: false },
          },
        },
      },
      [],
    ],
    [
      'with more kinds',
      { sync: { toHost: { endpointSlices: { enabled: true }, ingresses: { enabled: true } } } },
      [...always, 'endpointslices.discovery.k8s.io', 'ingresses.networking.k8s.io'],
    ],
    [
      'with custom resources',
      {
        sync: {
          toHost: {
            customResources: { 'widgets.example.com': { enabled: true }, 'gone.example.com': { enabled: false } },
          },
        },
      },
      [...always, 'widgets.example.com'],
    ],
  ])('%s: include writes to exactly the synced kinds', (_name, config, resources) => {
    const { own, cluster, elsewhere } = hostRules(deployment(config))
    expect(new Set(reach(own, 'delete'))).toEqual(new Set(resources))
    expect(new Set(reach(own, 'update'))).toEqual(new Set(resources))
    expect(elsewhere.size).toBe(0)
    expect(cluster).toEqual(resources.includes('pods') ? readingNodes : [])
  })

  it.each<[string, TenantConfig, boolean]>([
    ['none', { sync: { fromHost: { nodes: { mode: 'none' } } } }, false],
    ['those that are used', {}, true],
    ['those that are used, without Pods', { sync: { toHost: { pods: { enabled: false } } } }, false],
    [
      'those that are selected, without Pods',
      { sync: { toHost: { pods: { enabled: false } }, fromHost: { nodes: { mode: 'selected' } } } },
      true,
    ],
  ])('include reading nodes only if it shows any: %s', (_which, config, isReading) => {
    expect(hostRules(deployment(config)).cluster).toEqual(isReading ? readingNodes : [])
    const resources = { ...nothingResolved, mayReadNodes: false }
    expect(hostRules(deployment(config, { resources })).cluster).toEqual([])
  })

  it('use no wildcards', () => {
    const everything: TenantConfig = {
      sync: {
        toHost: {
          customResources: { widgets: { enabled: true } },
          namespaces: { enabled: true, mappings: { byName: { '*': 'x-*' } } },
        },
        fromHost: { secrets: { enabled: true, mappings: { byName: { 'shared/*': 'default/*' } } } },
      },
    }
    const { own, cluster, elsewhere } = hostRules(
      deployment(everything, { resources: { ...nothingResolved, groups: { widgets: 'example.com' } } }),
    )
    expect(JSON.stringify([own, cluster, [...elsewhere]])).not.toContain('"*"')
  })

  it('include other namespaces only if namespaces are synced, and then the Namespaces themselves', () => {
    const config: TenantConfig = {
      sync: { toHost: { namespaces: { enabled: true, mappings: { byName: { '*': 'x-*' } } } } },
    }
    const { own, cluster } = hostRules(deployment(config))
    expect(reach(cluster, 'delete')).toEqual(expect.arrayContaining(['namespaces', 'endpoints', 'services']))
    expect(reach(own, 'delete')).toEqual([])
  })

  it('include reading imports in their source namespaces', () => {
    const config: TenantConfig = {
      sync: {
        fromHost: {
          secrets: {
            enabled: true,
            mappings: { byName: { 'shared/ca': 'default/ca', 'shared/tls': 'default/tls', 'other/*': 'default/*' } },
          },
          configMaps: { enabled: true, mappings: { byName: { 'tenant-demo/settings': 'default/settings' } } },
        },
      },
    }
    const { own, elsewhere } = hostRules(deployment(config))
    expect([...elsewhere.keys()]).toEqual(['shared', 'other'])
    const reading = { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch'] }
    expect(elsewhere.get('shared')).toEqual([{ ...reading, resourceNames: ['ca', 'tls'] }])
    expect(elsewhere.get('other')).toEqual([reading])
    expect(own).toContainEqual({ ...reading, resources: ['configmaps'], resourceNames: ['settings'] })
  })

  it.each<[string, Record<string, string>, object]>([
    ['one of them', { ca: 'ca' }, { resourceNames: ['ca'] }],
    ['all of them', { '*': '*' }, {}],
    ['those whose names begin alike', { 'team-*': '*', ca: 'ca' }, {}],
  ])('reads cluster-scoped imports with a ClusterRole: %s', (_which, byName, names) => {
    const issuers = 'clusterissuers.cert-manager.io'
    const config: TenantConfig = {
      sync: { fromHost: { customResources: { [issuers]: { enabled: true, mappings: { byName } } } } },
    }
    const { own, elsewhere, cluster } = hostRules(deployment(config))
    const reading = { apiGroups: ['cert-manager.io'], resources: ['clusterissuers'], verbs: ['get', 'list', 'watch'] }
    expect(cluster).toEqual([{ ...reading, ...names }, ...readingNodes])
    expect(JSON.stringify([own, [...elsewhere]])).not.toContain('clusterissuers')
    expect(tenantManifests(deployment(config)).map(({ kind }) => kind)).toContain('ClusterRoleBinding')
  })

  it('include writes to cluster-scoped kinds by a ClusterRole', () => {
    const config: TenantConfig = { sync: { toHost: { customResources: { 'zones.example.com': { enabled: true } } } } }
    const resources = { ...nothingResolved, unnamespaced: ['zones.example.com'] }
    const { own, cluster } = hostRules(deployment(config, { resources }))
    expect(reach(cluster, 'delete')).toEqual(['zones.example.com'])
    expect(reach(own, 'delete')).not.toContain('zones.example.com')
  })

  it('include reading kinds that a synced kind refers to', () => {
    const toHost = { ingresses: { enabled: true }, secrets: { enabled: false }, pods: { enabled: false } }
    const { own } = hostRules(deployment({ sync: { toHost } }))
    expect(reach(own, 'list')).toContain('secrets')
    expect(reach(own, 'delete')).not.toContain('secrets')
  })

  it('cover every kind that can be synced', () => {
    const { toHost } = effectiveConfig({}).sync
    const { customResources: _, namespaces: __, ...kinds } = toHost
    const all = Object.fromEntries(Object.keys(kinds).map((id) => [id, { enabled: true }]))
    expect(reach(hostRules(deployment({ sync: { toHost: all } })).own, 'update')).toHaveLength(Object.keys(all).length)
  })

  it('include creating its own Secrets, whatever kinds are synced', () => {
    const without: TenantConfig = { sync: { toHost: { secrets: { enabled: false } } } }
    for (const config of [{}, without]) expect(reach(hostRules(deployment(config)).own, 'create')).toContain('secrets')
  })

  it('include writing the shared state of its replicas only if the store is on etcd', () => {
    const verbsOn = (config: TenantConfig) =>
      hostRules(deployment(config)).own.flatMap(({ resourceNames = [], verbs }) =>
        resourceNames.includes('tenant-demo-pki') ? verbs : [],
      )
    expect(verbsOn({ controlPlane: { storage: { etcd: { addresses: 'http://a:2379' } } } })).toEqual(
      expect.arrayContaining(['get', 'update']),
    )
    expect(verbsOn({})).toEqual([])
  })

  it('include a Lease only if there are replicas', () => {
    expect(JSON.stringify(hostRules(deployment()))).not.toContain('leases')
    const replicated: TenantConfig = { controlPlane: { replicas: 2, virtualKubeconfig: { secretName: 'a' } } }
    expect(JSON.stringify(hostRules(deployment(replicated)).own)).toContain('"demo-syncer"')
  })
})
