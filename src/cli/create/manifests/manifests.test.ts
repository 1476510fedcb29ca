import { describe, expect, it } from 'vitest'
import { deployment } from '../../../../tests/support/examples/tenant-deployment.ts'
import { isOfProcess } from '../../../api/host-controllers.ts'
import type { Manifest } from '../../host/manifest.ts'
import { platformPodLabels } from '../../platform/install/manifests/labels.ts'
import { tenantManifests } from './all.ts'
import type { TenantDeployment } from './contract.ts'
import { selectorLabels } from './labels.ts'
import { clusterScopedName } from './names.ts'
import { hostRules } from './rules.ts'

function manifest(list: readonly Manifest[], kind: string, namespace: string): readonly Manifest[] {
  return list.filter((each) => each.kind === kind && each.metadata.namespace === namespace)
}

it('no tenant can set the labels that select the processes of others', () => {
  for (const labels of [selectorLabels(deployment()), platformPodLabels]) {
    expect(Object.entries(labels).some(([key, value]) => isOfProcess('labels', key, value))).toBe(true)
  }
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
  ])('creates nothing in other namespaces if %s', (_name, given) => {
    const outsideOfNamespaces = ['ClusterRole', 'ClusterRoleBinding']
    const placed = tenantManifests(given).filter(({ kind }) => !outsideOfNamespaces.includes(kind))
    expect(new Set(placed.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['tenant-demo']))
  })

  it('lets the tenant read a Secret with another name in its own namespace', () => {
    const rules = hostRules(deployment({ external: { platform: { apiKey: { secretName: 'my-key' } } } })).own
    expect(rules[0]).toMatchObject({ resourceNames: expect.arrayContaining(['my-key', 'tenant-platform-api-key']) })
  })

  it('uses valid names that are unique to each tenant', () => {
    const long = 'a'.repeat(50)
    expect(clusterScopedName('cluster', 'n'.repeat(63), long).length).toBeLessThanOrEqual(253)
    expect(clusterScopedName('key', 'a-b', 'c')).not.toBe(clusterScopedName('key', 'a', 'b-c'))
    expect(clusterScopedName('key', 'a', 'demo')).not.toBe(clusterScopedName('key', 'b', 'demo'))
  })
})

describe('a tenant whose Pods run on the host', () => {
  const manifests = tenantManifests(
    deployment({ sync: { toHost: { pods: { enabled: true }, secrets: { enabled: false } } } }),
  )
  const found = (kind: string) => JSON.parse(JSON.stringify(manifests.find((each) => each.kind === kind)))

  it('serves DNS at its Service over UDP and TCP', () => {
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

  it('is reachable before it is ready if it is the only replica', () => {
    expect(found('Service').spec).toMatchObject({ publishNotReadyAddresses: true })
    const controlPlane = { replicas: 2, virtualKubeconfig: { secretName: 'own', key: 'config' } }
    const several = tenantManifests(deployment({ controlPlane })).find(({ kind }) => kind === 'Service')
    expect(several).toMatchObject({ spec: { publishNotReadyAddresses: false } })
  })

  it('may write the Secrets and ConfigMaps that Pods need, whatever kinds are synced', () => {
    const writable = found('Role').rules.filter(({ verbs }: { verbs: string[] }) => verbs.includes('update'))
    const resources = writable.flatMap((rule: { resources: string[]; resourceNames?: string[] }) =>
      rule.resourceNames === undefined ? rule.resources : [],
    )
    expect(resources).toEqual(expect.arrayContaining(['secrets', 'configmaps', 'pods']))
  })
})
