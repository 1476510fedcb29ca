import { describe, expect, it } from 'vitest'
import { effectiveConfig } from '../../../api/tenant-config/defaults.ts'
import type { TenantConfig } from '../../../api/tenant-config/types.ts'
import type { Manifest, ManifestRule } from '../../host/manifest.ts'
import { nothingResolved } from '../resolve-resources.ts'
import { serviceManifest, tenantManifests } from './all.ts'
import type { TenantDeployment } from './contract.ts'
import { nameElsewhere, whyNotTenantName } from './names.ts'
import { hostRules } from './rules.ts'

function deployment(config: TenantConfig = {}, more: Partial<TenantDeployment> = {}): TenantDeployment {
  return {
    name: 'demo',
    namespace: 'tenant-demo',
    config: effectiveConfig(config),
    configText: '{}\n',
    image: 'tenant-platform:1',
    resources: nothingResolved,
    ownsNamespace: false,
    ...more,
  }
}

/** All resources, as `resource.group`, on which the rules allow a verb; ways into Pods, which are no objects, aside. */
function reach(rules: readonly ManifestRule[], verb: string): readonly string[] {
  return rules
    .filter(({ verbs, resourceNames }) => verbs.includes(verb) && resourceNames === undefined)
    .flatMap(({ apiGroups, resources }) =>
      apiGroups.flatMap((group) => resources.map((resource) => (group === '' ? resource : `${resource}.${group}`))),
    )
    .filter((resource) => resource !== 'pods/proxy')
}

function manifest(list: readonly Manifest[], kind: string, namespace: string): readonly Manifest[] {
  return list.filter((each) => each.kind === kind && each.metadata.namespace === namespace)
}

const readingNodes: readonly ManifestRule[] = [
  { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: ['metrics.k8s.io'], resources: ['nodes'], verbs: ['get', 'list'] },
]

const always = ['endpoints', 'services', 'secrets', 'configmaps', 'persistentvolumeclaims', 'pods']

describe('what a tenant may do on its host', () => {
  it.each<[string, TenantConfig, readonly string[]]>([
    ['by default', {}, always],
    [
      'without what is switched off',
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
  ])('%s: change exactly what it syncs', (_name, config, resources) => {
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
  ])('reads nodes where it shows any: %s', (_which, config, isReading) => {
    expect(hostRules(deployment(config)).cluster).toEqual(isReading ? readingNodes : [])
    const resources = { ...nothingResolved, mayReadNodes: false }
    expect(hostRules(deployment(config, { resources })).cluster).toEqual([])
  })

  it('uses no wildcards', () => {
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

  it('asks for other namespaces only where namespaces are synced, and then for the namespaces too', () => {
    const config: TenantConfig = {
      sync: { toHost: { namespaces: { enabled: true, mappings: { byName: { '*': 'x-*' } } } } },
    }
    const { own, cluster } = hostRules(deployment(config))
    expect(reach(cluster, 'delete')).toEqual(expect.arrayContaining(['namespaces', 'endpoints', 'services']))
    expect(reach(own, 'delete')).toEqual([])
  })

  it('reads what is imported, where it is imported from', () => {
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
  ])('reads imports that are in no namespace by a ClusterRole: %s', (_which, byName, names) => {
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

  it('writes what is in no namespace by a ClusterRole', () => {
    const config: TenantConfig = { sync: { toHost: { customResources: { 'zones.example.com': { enabled: true } } } } }
    const resources = { ...nothingResolved, unnamespaced: ['zones.example.com'] }
    const { own, cluster } = hostRules(deployment(config, { resources }))
    expect(reach(cluster, 'delete')).toEqual(['zones.example.com'])
    expect(reach(own, 'delete')).not.toContain('zones.example.com')
  })

  it('reads what a kind can refer to, if that is not synced itself', () => {
    const toHost = { ingresses: { enabled: true }, secrets: { enabled: false }, pods: { enabled: false } }
    const { own } = hostRules(deployment({ sync: { toHost } }))
    expect(reach(own, 'list')).toContain('secrets')
    expect(reach(own, 'delete')).not.toContain('secrets')
  })

  it('reaches every kind that can be synced', () => {
    const { toHost } = effectiveConfig({}).sync
    const { customResources: _, namespaces: __, ...kinds } = toHost
    const all = Object.fromEntries(Object.keys(kinds).map((id) => [id, { enabled: true }]))
    expect(reach(hostRules(deployment({ sync: { toHost: all } })).own, 'update')).toHaveLength(Object.keys(all).length)
  })

  it('may make the Secrets that it keeps beside itself, whatever it syncs', () => {
    const without: TenantConfig = { sync: { toHost: { secrets: { enabled: false } } } }
    for (const config of [{}, without]) expect(reach(hostRules(deployment(config)).own, 'create')).toContain('secrets')
  })

  it('may hold a lease only if there are replicas', () => {
    expect(JSON.stringify(hostRules(deployment()))).not.toContain('leases')
    const replicated: TenantConfig = { controlPlane: { replicas: 2, virtualKubeconfig: { secretName: 'a' } } }
    expect(JSON.stringify(hostRules(deployment(replicated)).own)).toContain('"demo-syncer"')
  })
})

describe('createRBAC', () => {
  const shared = (more: object) =>
    deployment({ external: { platform: { apiKey: { namespace: 'tenant-platform', ...more } } } })

  it('lets the tenant read that one Secret in another namespace', () => {
    const manifests = tenantManifests(shared({ secretName: 'key' }))
    expect(manifest(manifests, 'Role', 'tenant-platform')).toMatchObject([
      { rules: [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['key'], verbs: ['get', 'list', 'watch'] }] },
    ])
    expect(manifest(manifests, 'RoleBinding', 'tenant-platform')).toMatchObject([
      { subjects: [{ kind: 'ServiceAccount', name: 'tenant-demo', namespace: 'tenant-demo' }] },
    ])
  })

  it.each<[string, TenantDeployment]>([
    ['it is false', shared({ createRBAC: false })],
    [
      'the Secret is in the own namespace',
      deployment({ external: { platform: { apiKey: { namespace: 'tenant-demo' } } } }),
    ],
    ['no namespace is named', deployment({ external: { platform: { apiKey: {} } } })],
    ['the key is a dedicated one', deployment({ external: { platform: {} } })],
    ['nothing is said', deployment()],
  ])('makes nothing elsewhere if %s', (_name, given) => {
    const outsideOfNamespaces = ['ClusterRole', 'ClusterRoleBinding']
    const placed = tenantManifests(given).filter(({ kind }) => !outsideOfNamespaces.includes(kind))
    expect(new Set(placed.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['tenant-demo']))
  })

  it('lets the tenant read a Secret of the own namespace that is called otherwise', () => {
    const rules = hostRules(deployment({ external: { platform: { apiKey: { secretName: 'my-key' } } } })).own
    expect(rules[0]).toMatchObject({ resourceNames: expect.arrayContaining(['my-key', 'tenant-platform-api-key']) })
  })

  it('has names that fit, and that differ for every tenant', () => {
    const long = 'a'.repeat(50)
    expect(nameElsewhere('cluster', 'n'.repeat(63), long).length).toBeLessThanOrEqual(253)
    expect(nameElsewhere('key', 'a-b', 'c')).not.toBe(nameElsewhere('key', 'a', 'b-c'))
    expect(nameElsewhere('key', 'a', 'demo')).not.toBe(nameElsewhere('key', 'b', 'demo'))
  })
})

describe('the pod of a tenant', () => {
  const podOf = (given: TenantDeployment) => {
    const set = tenantManifests(given).find(({ kind }) => kind === 'StatefulSet')
    return JSON.parse(JSON.stringify(set)).spec
  }

  it('runs as a non-root user, writes only to its volumes, and can gain no rights', () => {
    const { template } = podOf(deployment())
    expect(template.spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(template.spec.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  })

  it('runs where, with what and as what the configuration says, and is found by its own labels', () => {
    const hasDisk = { key: 'disk', operator: 'Exists', values: [] }
    const tolerations = [{ key: 'pool', operator: 'Equal', value: 'tenants', effect: 'NoSchedule' }]
    const { selector, template } = podOf(
      deployment({
        controlPlane: {
          imagePullSecrets: ['registry'],
          resources: { requests: { cpu: '1' }, limits: { memory: '1Gi' } },
          labels: { team: 'a', 'app.kubernetes.io/name': 'other' },
          nodeSelector: { zone: 'b' },
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [hasDisk] }] },
            },
          },
          tolerations,
          env: [
            { name: 'HTTPS_PROXY', value: 'http://192.0.2.1' },
            { name: 'TOKEN', secret: { secretName: 'proxy', key: 'token' } },
          ],
        },
      }),
    )
    expect(template.metadata.labels).toEqual({ team: 'a', ...selector.matchLabels })
    expect(template.spec).toMatchObject({
      imagePullSecrets: [{ name: 'registry' }],
      nodeSelector: { zone: 'b' },
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'Exists' }] }],
          },
        },
      },
      tolerations,
      containers: [{ resources: { requests: { cpu: '1', memory: '128Mi' }, limits: { memory: '1Gi' } } }],
    })
    expect(JSON.stringify(template.spec.affinity)).not.toContain('[]')
    expect(template.spec.containers[0].env.slice(0, 2)).toEqual([
      { name: 'HTTPS_PROXY', value: 'http://192.0.2.1' },
      { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'proxy', key: 'token' } } },
    ])
  })

  it('is told nothing about its place unless the configuration does', () => {
    const { spec } = podOf(deployment()).template
    for (const name of ['imagePullSecrets', 'nodeSelector', 'affinity', 'tolerations'])
      expect(spec).not.toHaveProperty(name)
    expect(spec.containers[0].resources).toEqual({ requests: { cpu: '50m', memory: '128Mi' }, limits: {} })
  })

  it('keeps its data in a volume of the size and class that were asked for', () => {
    const { volumeClaimTemplates } = podOf(
      deployment({ controlPlane: { storage: { size: '5Gi', className: 'fast' } } }),
    )
    expect(volumeClaimTemplates).toMatchObject([
      { spec: { storageClassName: 'fast', resources: { requests: { storage: '5Gi' } } } },
    ])
  })

  it('keeps its objects in an etcd that is shown what the Secrets hold', () => {
    const etcd = {
      addresses: 'https://a:2379,https://b:2379',
      certificates: { secretName: 'etcd-tls' },
      user: { secretName: 'etcd-user' },
    }
    const { template, volumeClaimTemplates } = podOf(deployment({ controlPlane: { storage: { etcd } } }))
    const [container] = template.spec.containers
    const file = '/etc/tenant-etcd'
    expect(container.args).toContain(
      `--store=etcd:https://a:2379,https://b:2379?prefix=/virtual-clusters/tenant-demo/demo&cafile=${file}/ca.crt&certfile=${file}/tls.crt&keyfile=${file}/tls.key&userfile=${file}-user/user`,
    )
    expect(container.volumeMounts).toContainEqual({ name: 'etcd', mountPath: file, readOnly: true })
    expect(template.spec.volumes).toContainEqual({ name: 'etcd-user', secret: { secretName: 'etcd-user' } })
    expect(volumeClaimTemplates).toHaveLength(1)
  })

  it('has a kube-controller-manager beside it, with a way into the virtual cluster and none to the host', () => {
    const controllerManager = {
      image: 'example/manager:1',
      resources: { requests: { cpu: '20m', memory: '64Mi' }, limits: {} },
    }
    const external = deployment({ controlPlane: { controllers: 'external', controllerManager } })
    const { spec } = podOf(external).template
    const [tenant, manager] = spec.containers
    expect(tenant.args).toContain('--controllers-kubeconfig=/var/run/tenant-controllers/kubeconfig')
    expect(manager).toMatchObject({ image: 'example/manager:1', command: ['kube-controller-manager'] })
    expect(manager.args).toContain('--kubeconfig=/var/run/tenant-controllers/kubeconfig')
    expect(manager.securityContext).toEqual(tenant.securityContext)
    const mounted: readonly { name: string; mountPath: string }[] = manager.volumeMounts
    expect(mounted.map(({ mountPath }) => mountPath)).toContain('/var/run/secrets/kubernetes.io/serviceaccount')
    expect(mounted.map(({ name }) => name)).toEqual(['controllers', 'no-account'])
    expect(podOf(deployment()).template.spec.containers).toHaveLength(1)
    // A manager that cannot start makes the Pod not ready, and the tenant has to be reached all the same.
    expect(serviceManifest(external).spec).toMatchObject({ publishNotReadyAddresses: true })
  })

  it('lets each of several replicas take requests until nothing more is sent to it', () => {
    const delays = (controlPlane: TenantConfig['controlPlane']) =>
      podOf(deployment({ controlPlane: { ...controlPlane } })).template.spec.containers[0].env.filter(
        ({ name }: { name: string }) => name === 'TENANT_SHUTDOWN_DELAY',
      )
    const storage = { etcd: { addresses: 'https://etcd:2379' } }
    expect(delays({ replicas: 3, storage })).toEqual([{ name: 'TENANT_SHUTDOWN_DELAY', value: '5s' }])
    expect(delays({})).toEqual([])
    expect(delays({ replicas: 2, virtualKubeconfig: { secretName: 'vk' } })).toEqual([])
  })

  it('uses an API server that is there already, and then needs no volume', () => {
    const config: TenantConfig = { controlPlane: { replicas: 2, virtualKubeconfig: { secretName: 'vk' } } }
    const { template, replicas, volumeClaimTemplates } = podOf(deployment(config))
    expect({ replicas, volumeClaimTemplates }).toEqual({ replicas: 2, volumeClaimTemplates: undefined })
    expect(template.spec.containers[0].args).toContain('--virtual-kubeconfig=/etc/tenant-virtual/config')
    expect(template.spec.volumes).toContainEqual({ name: 'virtual', secret: { secretName: 'vk' } })
  })
})

describe('a tenant whose Pods run on the host', () => {
  const manifests = tenantManifests(
    deployment({ sync: { toHost: { pods: { enabled: true }, secrets: { enabled: false } } } }),
  )
  const found = (kind: string) => JSON.parse(JSON.stringify(manifests.find((each) => each.kind === kind)))

  it('answers DNS at its Service, by both protocols', () => {
    const { ports } = found('Service').spec
    expect(ports.map((each: { port: number; protocol: string }) => `${each.port} ${each.protocol}`)).toEqual([
      '443 TCP',
      '53 UDP',
      '53 TCP',
    ])
    const [container] = found('StatefulSet').spec.template.spec.containers
    expect(container.args).toContain('--dns-port=8053')
    const targets = ports.map((each: { targetPort: string }) => each.targetPort)
    expect(container.ports.map((each: { name: string }) => each.name)).toEqual(targets)
  })

  it('may write the Secrets and ConfigMaps that Pods need, whatever else is synced', () => {
    const writable = found('Role').rules.filter(({ verbs }: { verbs: string[] }) => verbs.includes('update'))
    const resources = writable.flatMap((rule: { resources: string[]; resourceNames?: string[] }) =>
      rule.resourceNames === undefined ? rule.resources : [],
    )
    expect(resources).toEqual(expect.arrayContaining(['secrets', 'configmaps', 'pods']))
  })
})

describe('the name of a tenant', () => {
  it.each(['demo', 'a', `a${'b'.repeat(49)}`, 'a-1'])('can be %s', (name) => {
    expect(whyNotTenantName(name)).toBeUndefined()
  })

  it.each(['', 'Demo', '1a', 'a.b', 'a-', `a${'b'.repeat(50)}`, '../x', 'a b'])('cannot be %j', (name) => {
    expect(whyNotTenantName(name)).toEqual(expect.any(String))
  })
})
