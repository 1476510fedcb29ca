import { describe, expect, it } from 'vitest'
import {
  type Labels,
  mayConnect,
  type NetworkWorld,
  type Party,
} from '../../../../../tests/support/network-policies.ts'
import { effectiveConfig } from '../../../../api/tenant-config/defaults.ts'
import type { TenantConfig } from '../../../../api/tenant-config/types.ts'
import { nothingResolved } from '../../resolve-resources.ts'
import { tenantManifests } from '../all.ts'
import type { TenantDeployment } from '../contract.ts'

function deployment(name: string, config: TenantConfig = {}, more: Partial<TenantDeployment> = {}): TenantDeployment {
  return {
    name,
    namespace: `tenant-${name}`,
    config: effectiveConfig(config),
    configText: '{}\n',
    image: 'tenant-platform:1',
    resources: nothingResolved,
    ownsNamespace: true,
    ...more,
  }
}

function made(kind: string, given: TenantDeployment) {
  return tenantManifests(given).filter((manifest) => manifest.kind === kind)
}

/** The labels of copies, as set by the syncer. */
function copyOf(tenant: string, more: Labels = {}): Labels {
  return { 'tenant.internal/managed-by': tenant, 'tenant.internal/tenant-namespace': `tenant-${tenant}`, ...more }
}

function processOf(tenant: string): Labels {
  return { 'app.kubernetes.io/name': 'tenant', 'app.kubernetes.io/instance': tenant }
}

function pod(namespace: string, labels: Labels, address: string): Party {
  return { address, pod: { namespace, labels } }
}

const parties = {
  own: pod('tenant-a', copyOf('a'), '10.1.0.1'),
  'another of its Pods': pod('tenant-a', copyOf('a', { 'tenant.internal/object-namespace': 'other' }), '10.1.0.2'),
  'its process': pod('tenant-a', processOf('a'), '10.1.0.3'),
  "another tenant's Pod": pod('tenant-b', copyOf('b'), '10.1.0.4'),
  "another tenant's process": pod('tenant-b', processOf('b'), '10.1.0.5'),
  'a tenant of the same name elsewhere': pod(
    'elsewhere',
    { ...copyOf('a'), 'tenant.internal/tenant-namespace': 'elsewhere' },
    '10.1.0.6',
  ),
  'a Pod with forged marks elsewhere': pod('elsewhere', copyOf('a'), '10.1.0.7'),
  'DNS of the host': pod('kube-system', { 'k8s-app': 'kube-dns' }, '10.1.0.8'),
  'an Ingress controller': pod('ingress-nginx', { app: 'nginx' }, '10.1.0.9'),
  'a Pod of the host with a public address': pod('kube-system', {}, '203.0.113.9'),
  'a Pod of the host with a public address, IPv6': pod('kube-system', {}, '2001:db8:77::9'),
  "another tenant's Pod with a public address, IPv6": pod('tenant-b', copyOf('b'), '2001:db8:77::4'),
  'the internet': { address: '198.51.100.7' },
  'the internet, IPv6': { address: '2001:db8::7' },
  'a node': { address: '192.168.0.7' },
  'a node with a public address': { address: '203.0.113.7' },
  'a private network': { address: '172.20.0.1' },
  'the metadata server': { address: '169.254.169.254' },
  'the metadata server, IPv6': { address: 'fd00:ec2::254' },
  'the wire server': { address: '168.63.129.16' },
  'the API of the host': { address: '10.96.0.1' },
} satisfies Readonly<Record<string, Party>>

type Name = keyof typeof parties

/** As read from a host: its API and nodes, the Service range, and the Pod ranges. */
const podRanges = ['10.1.0.0/24', '203.0.113.8/29', '2001:db8:77::/64']
const host = { policies: { sync: { endpointAddresses: { host: ['203.0.113.7', '10.96.0.0/12'] } } } }

function world(config: TenantConfig = {}, podRangesRead: readonly string[] = podRanges): NetworkWorld {
  const resources = { ...nothingResolved, podRanges: podRangesRead }
  const both = { policies: { ...host.policies, ...config.policies } }
  const names = ['tenant-a', 'tenant-b', 'elsewhere', 'kube-system', 'ingress-nginx']
  return {
    namespaces: Object.fromEntries(names.map((name) => [name, { 'kubernetes.io/metadata.name': name }])),
    policies: ['a', 'b'].flatMap((tenant) =>
      made('NetworkPolicy', deployment(tenant, { ...config, ...both }, { resources })),
    ),
  }
}

const web = { port: 80, protocol: 'TCP' } as const

function reached(from: Name, given = world(), destination: Parameters<typeof mayConnect>[3] = web): readonly string[] {
  return Object.entries(parties).flatMap(([name, to]) =>
    name !== from && mayConnect(given, parties[from], to, destination) ? [name] : [],
  )
}

function reaching(to: Name, given = world(), destination: Parameters<typeof mayConnect>[3] = web): readonly string[] {
  return Object.entries(parties).flatMap(([name, from]) =>
    name !== to && mayConnect(given, from, parties[to], destination) ? [name] : [],
  )
}

const outside = ['the internet', 'the internet, IPv6']

describe('NetworkPolicies of a tenant', () => {
  it('allow egress to its own Pods and to the internet', () => {
    expect(reached('own')).toEqual(['another of its Pods', ...outside])
  })

  it('exclude Pods with public addresses that the operator lists, if nodes do not report them', () => {
    const isolation = { networkPolicies: { podRanges } }
    const given = world({ policies: { isolation } }, [])
    expect(reached('own', given)).toEqual(['another of its Pods', ...outside])
    expect(reaching('own', given)).toEqual(['another of its Pods', 'its process', ...outside])
  })

  it('list no range that is already private, of which each node may have one', () => {
    expect(JSON.stringify(world().policies)).not.toContain('10.1.0.0/24')
  })

  it('allow egress to its own API and DNS server, but not to those of others', () => {
    expect(reached('own', world(), { port: 8443, protocol: 'TCP' })).toContain('its process')
    for (const protocol of ['UDP', 'TCP'] as const) {
      const found = reached('own', world(), { port: 8053, protocol })
      expect(found).toContain('its process')
      expect(found).not.toContain("another tenant's process")
    }
  })

  it('allow ingress from its own Pods, its process and the internet', () => {
    expect(reaching('own')).toEqual(['another of its Pods', 'its process', ...outside])
  })

  it('allow access to the API of the process from everywhere, and to its DNS server from its Pods only', () => {
    const given = world()
    expect(reaching('its process', given, { port: 8443, protocol: 'TCP' })).toContain('an Ingress controller')
    expect(reaching('its process', given, { port: 8053, protocol: 'UDP' })).toEqual(['own', 'another of its Pods'])
  })

  it('allow ranges and namespaces that the operator lists', () => {
    const isolation = { networkPolicies: { allowed: ['172.20.0.0/16'], fromNamespaces: ['ingress-nginx'] } }
    const given = world({ policies: { isolation } })
    expect(reached('own', given)).toContain('a private network')
    expect(reaching('own', given)).toContain('an Ingress controller')
    expect(reaching('own', given)).not.toContain('DNS of the host')
  })

  it('allow egress to an API and a DNS server elsewhere, at their ports only', () => {
    const networking = { apiAddress: '192.168.0.7:6443', dnsAddress: '192.168.0.7' }
    const given = world({ networking })
    expect(reached('own', given, { port: 6443, protocol: 'TCP' })).toContain('a node')
    expect(reached('own', given, { port: 53, protocol: 'UDP' })).toContain('a node')
    expect(reached('own', given)).not.toContain('a node')
  })

  it('deny the internet if the operator denies it', () => {
    const given = world({ policies: { sync: { endpointAddresses: { denied: ['0.0.0.0/0'] } } } })
    expect(reached('own', given)).toEqual(['another of its Pods', 'the internet, IPv6'])
  })
})

describe('a namespace of its own', () => {
  it('has a quota and default requests as the operator configures them', () => {
    const isolation = {
      resourceQuota: { hard: { pods: '7', 'count/jobs.batch': '3' } },
      limitRange: { default: { memory: '1Gi' } },
    }
    const given = deployment('a', { policies: { isolation } })
    expect(made('ResourceQuota', given)[0]?.spec).toMatchObject({
      hard: { pods: '7', 'count/jobs.batch': '3', 'requests.cpu': '64' },
    })
    expect(made('LimitRange', given)[0]?.spec).toEqual({
      limits: [{ type: 'Container', defaultRequest: { cpu: '50m', memory: '64Mi' }, default: { memory: '1Gi' } }],
    })
  })

  it('does not use up capacity that all tenants share', () => {
    const [quota] = made('ResourceQuota', deployment('a'))
    const shared = ['services', 'services.nodeports', 'services.loadbalancers', 'secrets', 'configmaps', 'count/pods']
    for (const resource of shared) expect(quota?.spec).toHaveProperty(['hard', resource])
  })

  it('requires no requests of Pods that only a LimitRange would set', () => {
    const given = deployment('a', { policies: { isolation: { limitRange: { enabled: false } } } })
    expect(JSON.stringify(made('ResourceQuota', given))).not.toContain('requests.cpu')
  })

  // A quota of requests without a LimitRange would refuse Pods, so the LimitRange comes first.
  const all = ['LimitRange', 'ResourceQuota', 'NetworkPolicy']
  it.each<[string, TenantConfig, Partial<TenantDeployment>, readonly string[]]>([
    ['by default', {}, {}, all],
    ['that it shares', {}, { ownsNamespace: false }, []],
    ['without Pods', { sync: { toHost: { pods: { enabled: false } } } }, {}, []],
    [
      'with mapped namespaces',
      { sync: { toHost: { namespaces: { enabled: true, mappings: { byName: { '*': 'x-*' } } } } } },
      {},
      [],
    ],
    ['with its own NetworkPolicies', { sync: { toHost: { networkPolicies: { enabled: true } } } }, {}, all.slice(0, 2)],
    [
      'without a quota',
      { policies: { isolation: { resourceQuota: { enabled: false } } } },
      {},
      ['LimitRange', 'NetworkPolicy'],
    ],
    ['by a user who may not limit it', {}, { resources: { ...nothingResolved, mayLimit: false } }, ['NetworkPolicy']],
    ['without policies', { policies: { isolation: { networkPolicies: { enabled: false } } } }, {}, all.slice(0, 2)],
  ])('%s has what keeps tenants apart', (_which, config, more, kinds) => {
    const found = tenantManifests(deployment('a', config, more)).map(({ kind }) => kind)
    expect([...new Set(found)].filter((kind) => all.includes(kind))).toEqual(kinds)
    expect(found.at(-1)).toBe('StatefulSet')
  })
})
