import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../api/object.ts'
import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import type { KindSetting } from '../contract.ts'
import { hostNamesOf } from '../names/host-names.ts'
import { enabledKinds } from './enabled.ts'
import { endpointSlicesSync } from './endpoint-slices.ts'
import { customResourceSync, genericSync } from './generic.ts'
import { ingressesSync } from './ingresses.ts'
import { namespacesSync } from './namespaces.ts'
import { persistentVolumeClaimsSync } from './persistent-volume-claims.ts'
import { secretsSync } from './secrets.ts'
import { serviceAccountsSync } from './service-accounts.ts'

const identity = { tenant: 'demo', hostNamespace: 'tenants' }
const single: KindSetting = {
  names: hostNamesOf(identity, effectiveConfig({})).forKinds,
  virtualFollowsHostAddresses: false,
  podsRunOnHost: false,
}
const mapped = effectiveConfig({
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how tenant.yaml writes the tenant's name
  sync: { toHost: { namespaces: { enabled: true, mappings: { byName: { 'team-*': '${name}-*' } } } } },
})
const many: KindSetting = {
  names: hostNamesOf(identity, mapped).forKinds,
  virtualFollowsHostAddresses: false,
  podsRunOnHost: false,
}

function object(kind: string, fields: object, metadata: object = {}): KubeObject {
  return { apiVersion: 'v1', kind, metadata: { name: 'a', namespace: 'default', ...metadata }, ...fields }
}

describe('the kinds of a configuration', () => {
  it('are those that are enabled', () => {
    const ids = (config: object) => enabledKinds(effectiveConfig(config)).map(({ kind }) => kind.id)
    const always = ['services', 'secrets', 'configMaps', 'persistentVolumeClaims', 'pods']
    expect(ids({})).toEqual(['endpoints', ...always])
    const customResources = { 'certificates.cert-manager.io': { enabled: true }, widgets: { enabled: false } }
    expect(ids({ sync: { toHost: { endpoints: { enabled: false }, customResources } } })).toEqual([
      ...always,
      'certificates.cert-manager.io',
    ])
  })

  it('name custom resources with their group, or leave it to discovery', () => {
    expect(customResourceSync('certificates.cert-manager.io')).toMatchObject({
      resource: 'certificates',
      group: 'cert-manager.io',
    })
    expect(customResourceSync('certificates')).toMatchObject({ resource: 'certificates', group: undefined })
  })
})

describe('an EndpointSlice', () => {
  const labels = { 'kubernetes.io/service-name': 'web', 'endpointslice.kubernetes.io/managed-by': 'example-controller' }

  it('belongs to the copy of its Service, and only the syncer manages it', () => {
    const host = endpointSlicesSync.hostLabels?.(object('EndpointSlice', {}, { labels }), single)
    expect(host).toEqual({
      'kubernetes.io/service-name': single.names.of('default', 'web').name,
      'endpointslice.kubernetes.io/managed-by': 'tenant-syncer',
    })
  })

  it.each([
    ['a mirrored one', { 'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io' }, true],
    ['that of the API', { 'kubernetes.io/service-name': 'kubernetes' }, true],
    ['any other', labels, false],
  ])('%s is not synced: %s', (_which, sliceLabels, stays) => {
    const why = endpointSlicesSync.leavesOut?.(object('EndpointSlice', {}, { labels: sliceLabels }), single)
    expect(why !== undefined).toBe(stays)
  })
})

describe('an Ingress', () => {
  const backend = { service: { name: 'web', port: { number: 80 } } }
  const spec = {
    ingressClassName: 'nginx',
    defaultBackend: backend,
    rules: [{ host: 'a.example.com', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }, { host: 'b' }],
    tls: [{ hosts: ['a.example.com'], secretName: 'cert' }, { hosts: ['b'] }],
  }

  it('leads to the copies of its Services and Secrets', () => {
    const web = { service: { name: single.names.of('default', 'web').name, port: { number: 80 } } }
    expect(ingressesSync.toHost(object('Ingress', { spec }), single).spec).toEqual({
      ingressClassName: 'nginx',
      defaultBackend: web,
      rules: [
        { host: 'a.example.com', http: { paths: [{ path: '/', pathType: 'Prefix', backend: web }] } },
        { host: 'b' },
      ],
      tls: [{ hosts: ['a.example.com'], secretName: single.names.of('default', 'cert').name }, { hosts: ['b'] }],
    })
  })

  it('refers to them', () => {
    const references = ingressesSync.references?.(object('Ingress', { spec })) ?? []
    expect(references.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`)).toEqual([
      'Service default/web',
      'Service default/web',
      'Secret default/cert',
    ])
  })
})

describe('a ServiceAccount', () => {
  const account = object('ServiceAccount', {
    secrets: [{ name: 'a-token-x' }],
    imagePullSecrets: [{ name: 'registry' }],
  })

  it('syncs its Secrets for images, but not its tokens', () => {
    expect(serviceAccountsSync.toHost(account, single)).toEqual({
      automountServiceAccountToken: undefined,
      imagePullSecrets: [{ name: single.names.of('default', 'registry').name }],
    })
    expect(serviceAccountsSync.references?.(account)).toMatchObject([{ kind: 'Secret', name: 'registry' }])
  })

  it('that every namespace has is left to the host if names are kept', () => {
    const standard = object('ServiceAccount', {}, { name: 'default' })
    expect(serviceAccountsSync.leavesOut?.(standard, many)).toBeDefined()
    expect(serviceAccountsSync.leavesOut?.(standard, single)).toBeUndefined()
  })
})

describe('other kinds', () => {
  it('a claim keeps the volume that the host assigned', () => {
    const claim = object('PersistentVolumeClaim', { spec: { volumeName: 'virtual', storageClassName: 'fast' } })
    const fields = persistentVolumeClaimsSync.toHost(claim, single)
    expect(fields).toEqual({ spec: { storageClassName: 'fast' } })
    const copy = object('PersistentVolumeClaim', { spec: { volumeName: 'pv-1' } })
    expect(persistentVolumeClaimsSync.overCopy?.(fields, copy)).toEqual({
      spec: { storageClassName: 'fast', volumeName: 'pv-1' },
    })
  })

  describe('a claim that the host has bound', () => {
    const copy = object('PersistentVolumeClaim', { spec: { volumeName: 'pv-1', storageClassName: 'standard' } })
    const embedded = { ...single, virtualFollowsHostAddresses: true }
    const shown = (spec: object, setting = embedded, metadata = {}) =>
      persistentVolumeClaimsSync.toVirtual?.(copy, object('PersistentVolumeClaim', { spec }, metadata), setting)

    it('shows its volume, and the class that the host chose', () => {
      expect(shown({})).toEqual({
        fields: { spec: { volumeName: 'pv-1', storageClassName: 'standard' } },
        annotations: { 'tenant.internal/host-storage-class': 'standard' },
      })
    })

    it('does not ask for that class, which tenants may not be allowed to name', () => {
      const annotations = { 'tenant.internal/host-storage-class': 'standard' }
      const virtual = object('PersistentVolumeClaim', { spec: { storageClassName: 'standard' } }, { annotations })
      expect(persistentVolumeClaimsSync.toHost(virtual, embedded)).toEqual({ spec: {} })
    })

    it.each([
      ['a class of its own', { storageClassName: 'fast' }, {}],
      ['no class on purpose', { storageClassName: '' }, {}],
      ['the class of old clients', {}, { annotations: { 'volume.beta.kubernetes.io/storage-class': 'fast' } }],
    ])('keeps %s', (_, spec, metadata) => {
      expect(shown(spec, embedded, metadata)).toEqual({ fields: { spec: { volumeName: 'pv-1' } } })
    })

    it('keeps the volume that it has, and is left to the controllers of another API server', () => {
      expect(shown({ volumeName: 'own' })).toEqual({})
      expect(shown({}, single)).toEqual({})
    })
  })

  it('a namespace is where it is mapped, or nowhere', () => {
    expect(namespacesSync.hostName?.({ namespace: '', name: 'team-a' }, many)).toEqual({
      namespace: '',
      name: 'demo-a',
    })
    expect(namespacesSync.hostName?.({ namespace: '', name: 'other' }, many)).toBeUndefined()
  })

  it('a Secret with a token is plain data on the host', () => {
    expect(secretsSync.toHost(object('Secret', { type: 'kubernetes.io/service-account-token' }), single)).toMatchObject(
      {
        type: 'Opaque',
      },
    )
  })

  it('a status is synced back as a difference', () => {
    const { toVirtual } = genericSync('widgets', 'example.com', 'widgets')
    const copy = object('Widget', { status: { ready: true, count: 2 } })
    expect(toVirtual?.(copy, object('Widget', { status: { old: 1, count: 2 } }), single)).toEqual({
      status: { ready: true, old: null },
    })
    expect(toVirtual?.(copy, copy, single)).toEqual({})
    expect(toVirtual?.(object('Widget', {}), copy, single)).toEqual({})
  })
})
