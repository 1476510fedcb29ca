import { describe, expect, it } from 'vitest'
import { rulesFor } from '../../../tests/support/examples/worlds.ts'
import type { KubeObject } from '../../api/object.ts'
import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import type { SyncPolicies, Written } from '../../api/tenant-config/types.ts'
import type { ObjectFields } from '../contract.ts'
import { builtInKinds } from '../kinds/built-in.ts'
import { customResourceSync } from '../kinds/generic.ts'
import { policyOf } from './policy-of.ts'

interface Outcome {
  readonly fields: ObjectFields
  readonly refused: readonly string[]
  readonly isHeld: boolean
}

function filtered(id: string, fields: ObjectFields, sync: Written<SyncPolicies> = {}, annotations = {}): Outcome {
  const kind = builtInKinds.find((each) => each.id === id) ?? customResourceSync(id)
  const { setting } = rulesFor(kind, 'X')
  const policy = policyOf({ kind, config: effectiveConfig({ policies: { sync } }), patches: [], setting })
  const object: KubeObject = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x', annotations }, ...fields }
  const { object: left, refusals, isHeld } = policy.filter(object)
  const { apiVersion: _, kind: __, metadata: ___, ...rest } = left
  return { fields: rest, refused: refusals.map(({ field }) => field), isHeld }
}

describe('Services', () => {
  const ports = [{ port: 80 }]
  const open = { loadBalancers: { enabled: true, classes: ['good'] }, nodePorts: { enabled: true } }

  it.each<readonly [string, ObjectFields, Written<SyncPolicies>, ObjectFields, readonly string[]]>([
    ['an ordinary one', { ports }, {}, { ports }, []],
    ['external addresses', { ports, externalIPs: ['203.0.113.7'] }, {}, { ports }, ['spec.externalIPs[0]']],
    [
      'external addresses, one of them allowed',
      { ports, externalIPs: ['203.0.113.7', '10.96.0.1', '203.0.113.008'] },
      { externalIPs: { allowed: ['203.0.113.0/24'] } },
      { ports, externalIPs: ['203.0.113.7'] },
      ['spec.externalIPs[1]', 'spec.externalIPs[2]'],
    ],
    [
      'a policy for traffic from outside that has no outside left',
      { ports, externalIPs: ['203.0.113.7'], externalTrafficPolicy: 'Local' },
      {},
      { ports },
      ['spec.externalIPs[0]'],
    ],
    [
      'a node port',
      { type: 'NodePort', ports, externalTrafficPolicy: 'Local' },
      {},
      { type: 'ClusterIP', ports },
      ['spec.type'],
    ],
    ['a node port that is allowed', { type: 'NodePort', ports }, open, { type: 'NodePort', ports }, []],
    [
      'a load balancer',
      {
        type: 'LoadBalancer',
        ports,
        externalTrafficPolicy: 'Local',
        loadBalancerIP: '203.0.113.7',
        loadBalancerClass: 'good',
        loadBalancerSourceRanges: ['10.0.0.0/8'],
        allocateLoadBalancerNodePorts: false,
      },
      {},
      { type: 'ClusterIP', ports },
      ['spec.type'],
    ],
    [
      'an allowed load balancer with restrictions',
      { type: 'LoadBalancer', ports, loadBalancerSourceRanges: ['10.0.0.0/8'], externalTrafficPolicy: 'Local' },
      open,
      { type: 'LoadBalancer', ports, loadBalancerSourceRanges: ['10.0.0.0/8'], externalTrafficPolicy: 'Local' },
      [],
    ],
    [
      'an address and a class that are not',
      { type: 'LoadBalancer', ports, loadBalancerIP: '203.0.113.7', loadBalancerClass: 'bad' },
      open,
      { type: 'LoadBalancer', ports },
      ['spec.loadBalancerIP', 'spec.loadBalancerClass'],
    ],
    [
      'an address and a class that are',
      { type: 'LoadBalancer', ports, loadBalancerIP: '203.0.113.7', loadBalancerClass: 'good' },
      { ...open, loadBalancerIP: { allowed: ['203.0.113.0/24'] } },
      { type: 'LoadBalancer', ports, loadBalancerIP: '203.0.113.7', loadBalancerClass: 'good' },
      [],
    ],
    [
      'external addresses that a hostile server shows in no list',
      { ports, externalIPs: '203.0.113.7' },
      {},
      { ports },
      [],
    ],
  ])('%s', (_what, spec, policies, expected, refused) => {
    expect(filtered('services', { spec }, policies)).toEqual({ fields: { spec: expected }, refused, isHeld: false })
  })

  it('a load balancer that lost an annotation which balancers act on becomes a ClusterIP: it could be public', () => {
    const annotations = { 'service.beta.kubernetes.io/aws-load-balancer-internal': 'true' }
    const spec = { type: 'LoadBalancer', ports }
    expect(filtered('services', { spec }, open, annotations).fields).toEqual({ spec: { type: 'ClusterIP', ports } })
    const allowed = { ...open, annotations: { allowed: ['service.beta.kubernetes.io/'] } }
    expect(filtered('services', { spec }, allowed, annotations).fields).toEqual({ spec })
    expect(filtered('services', { spec }, open, { 'example.com/team': 'a' }).fields).toEqual({ spec })
  })

  it('a name of the host is held back, and an allowed one is synced without addresses', () => {
    const spec = { type: 'ExternalName', externalName: 'kubernetes.default.svc.cluster.local' }
    expect(filtered('services', { spec })).toMatchObject({ isHeld: true, refused: ['spec.externalName'] })
    const other = { type: 'ExternalName', externalName: 'db.example.com' }
    const policies = { externalNames: { allowed: ['*.example.com'] } }
    expect(filtered('services', { spec: { ...other, externalIPs: ['203.0.113.7'] } }, policies)).toEqual({
      fields: { spec: other },
      refused: ['spec.externalIPs[0]'],
      isHeld: false,
    })
  })
})

describe('Endpoints', () => {
  it('lose forbidden addresses, and subsets without any left', () => {
    const subsets = [
      { addresses: [{ ip: '10.0.0.1' }, { ip: '169.254.169.254' }], ports: [{ port: 80 }] },
      { addresses: [{ ip: '127.0.0.1' }], notReadyAddresses: [{ ip: '::1' }] },
      { notReadyAddresses: [{ ip: '10.0.0.2' }] },
    ]
    expect(filtered('endpoints', { subsets })).toEqual({
      fields: {
        subsets: [
          { addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] },
          { notReadyAddresses: [{ ip: '10.0.0.2' }] },
        ],
      },
      refused: ['subsets[0].addresses[1].ip', 'subsets[1].addresses[0].ip', 'subsets[1].notReadyAddresses[0].ip'],
      isHeld: false,
    })
  })

  it('that are valid are the same object', () => {
    const subsets = [{ addresses: [{ ip: '10.0.0.1' }] }]
    expect(filtered('endpoints', { subsets }).fields.subsets).toBe(subsets)
  })

  it('from a server with other values lose invalid addresses', () => {
    const subsets = [{ addresses: [{ ip: 7 }, 'x', null, { ip: ['10.0.0.1'] }] }]
    expect(filtered('endpoints', { subsets }).fields).toEqual({ subsets: [] })
  })
})

describe('EndpointSlices', () => {
  it('lose addresses, and endpoints without any left', () => {
    const endpoints = [{ addresses: ['10.0.0.1', '169.254.169.254'] }, { addresses: ['127.0.0.1'] }]
    expect(filtered('endpointSlices', { addressType: 'IPv4', endpoints })).toEqual({
      fields: { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }] },
      refused: ['endpoints[0].addresses[1]', 'endpoints[1].addresses[0]'],
      isHeld: false,
    })
  })

  it('of names may refer to what an ExternalName may', () => {
    const endpoints = [{ addresses: ['db.example.com'] }, { addresses: ['kubernetes.default.svc'] }]
    const policies = { externalNames: { allowed: ['*.example.com'] } }
    expect(filtered('endpointSlices', { addressType: 'FQDN', endpoints }, policies)).toEqual({
      fields: { addressType: 'FQDN', endpoints: [{ addresses: ['db.example.com'] }] },
      refused: ['endpoints[1].addresses[0]'],
      isHeld: false,
    })
  })

  it('of an unknown type refer to nothing', () => {
    const endpoints = [{ addresses: ['db.example.com'] }]
    expect(filtered('endpointSlices', { addressType: 'Name', endpoints }).fields.endpoints).toEqual([])
  })
})

describe('Secrets', () => {
  it.each([
    ['Opaque', 'Opaque', 0],
    ['kubernetes.io/tls', 'kubernetes.io/tls', 0],
    ['kubernetes.io/dockerconfigjson', 'kubernetes.io/dockerconfigjson', 0],
    ['bootstrap.kubernetes.io/token', 'Opaque', 1],
    ['kubernetes.io/service-account-token', 'Opaque', 1],
    ['helm.sh/release.v1', 'Opaque', 0],
    ['istio.io/key-and-cert', 'Opaque', 1],
    ['example.com/mine', 'example.com/mine', 0],
  ])('of type %s are %s on the host', (type, expected, refusals) => {
    const { fields, refused } = filtered('secrets', { type, data: {} })
    expect(fields).toEqual({ type: expected, data: {} })
    expect(refused).toHaveLength(refusals)
  })
})

describe('Ingresses', () => {
  const path = { path: '/', backend: { service: { name: 'v-web' } } }
  const rule = (host?: string) => ({ ...(host && { host }), http: { paths: [path] } })
  const hosts = { ingresses: { hosts: ['shop.example.com', '*.apps.example.com'] } }

  it('keep the host names that are allowed', () => {
    const spec = {
      ingressClassName: 'nginx',
      rules: [rule('shop.example.com'), rule('platform.example.com'), rule('a.apps.example.com'), rule()],
      tls: [
        { hosts: ['shop.example.com', 'platform.example.com'], secretName: 'v-a' },
        { hosts: ['platform.example.com'], secretName: 'v-b' },
        { secretName: 'v-c' },
      ],
    }
    expect(filtered('ingresses', { spec }, hosts)).toEqual({
      fields: {
        spec: {
          ingressClassName: 'nginx',
          rules: [rule('shop.example.com'), rule('a.apps.example.com')],
          tls: [
            { hosts: ['shop.example.com'], secretName: 'v-a' },
            { hosts: ['shop.example.com', 'a.apps.example.com'], secretName: 'v-c' },
          ],
        },
      },
      refused: ['spec.rules[1].host', 'spec.rules[3].host'],
      isHeld: false,
    })
  })

  it.each([
    ['for every host that no other Ingress names', { defaultBackend: path.backend }],
    ['for a host of another owner', { rules: [rule('platform.example.com')] }],
    ['for the domain above', { rules: [rule('apps.example.com')] }],
    ['for all hosts of a domain above', { rules: [rule('*.example.com')] }],
    ['for a host in upper case', { rules: [rule('PLATFORM.example.com')] }],
  ])('that ask %s are held back', (_what, spec) => {
    expect(filtered('ingresses', { spec }, hosts)).toMatchObject({ isHeld: true })
    expect(filtered('ingresses', { spec }, { ingresses: { hosts: ['*'] } })).toMatchObject({
      isHeld: false,
      refused: [],
    })
  })

  it('without an annotation that controllers act on are held back: it may have restricted access', () => {
    const annotations = { 'nginx.ingress.kubernetes.io/auth-url': 'https://example.com' }
    const spec = { rules: [rule('shop.example.com')] }
    expect(filtered('ingresses', { spec }, hosts, annotations)).toMatchObject({ isHeld: true })
  })

  it('do not refer to objects of the host other than Services, not even by default', () => {
    const spec = { defaultBackend: { resource: { kind: 'Bucket', name: 'of-a-neighbor' } } }
    expect(filtered('ingresses', { spec }, { ingresses: { hosts: ['*'] } })).toMatchObject({ isHeld: true })
  })

  it('do not refer to objects of the host other than Services', () => {
    const resource = { http: { paths: [{ backend: { resource: { kind: 'Bucket', name: 'of-a-neighbor' } } }] } }
    expect(
      filtered('ingresses', { spec: { rules: [{ host: 'shop.example.com', ...resource }] } }, hosts),
    ).toMatchObject({
      isHeld: true,
      refused: ['spec.rules[0].http'],
    })
  })
})

describe('PersistentVolumeClaims', () => {
  it('choose no volume of the host and copy only their own claims', () => {
    const own = { kind: 'PersistentVolumeClaim', name: 'v-data' }
    const spec = {
      resources: {},
      selector: { matchLabels: { of: 'victim' } },
      dataSource: own,
      dataSourceRef: { ...own, namespace: 'other' },
    }
    expect(filtered('persistentVolumeClaims', { spec })).toEqual({
      fields: { spec: { resources: {}, dataSource: own } },
      refused: ['spec.selector', 'spec.dataSourceRef'],
      isHeld: false,
    })
    const snapshot = {
      spec: { dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' } },
    }
    expect(filtered('persistentVolumeClaims', snapshot)).toMatchObject({ refused: ['spec.dataSource'] })
  })
})

describe('custom resources', () => {
  it('have their labels and annotations filtered like all others, and keep their fields', () => {
    const outcome = filtered(
      'widgets.example.com',
      { spec: { externalIPs: ['1.2.3.4'] } },
      {},
      { 'cilium.io/x': 'y', note: 'z' },
    )
    expect(outcome).toEqual({
      fields: { spec: { externalIPs: ['1.2.3.4'] } },
      refused: ['metadata.annotations["cilium.io/x"]'],
      isHeld: false,
    })
  })
})
