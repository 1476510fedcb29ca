import { describe, expect, it } from 'vitest'
import { errorTexts, previewCreate, previewUpdate } from '../../../../tests/support/strategy-steps.ts'
import { service } from './service.ts'

const metadata = { name: 'sv', namespace: 'default' }
const created = (spec: object, more: object = {}) => previewCreate(service, { metadata, spec, ...more })
const web = { ports: [{ port: 80 }] }

describe('Service defaults', () => {
  it.each([
    [
      'two ports',
      {
        selector: { a: 'b' },
        ports: [
          { name: 'a', port: 80 },
          { name: 'b', port: 81, protocol: 'UDP' },
        ],
      },
      {
        internalTrafficPolicy: 'Cluster',
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        ports: [
          { name: 'a', port: 80, protocol: 'TCP', targetPort: 80 },
          { name: 'b', port: 81, protocol: 'UDP', targetPort: 81 },
        ],
        selector: { a: 'b' },
        sessionAffinity: 'None',
        type: 'ClusterIP',
      },
    ],
    [
      'a headless one',
      { clusterIP: 'None', selector: { a: 'b' } },
      {
        clusterIP: 'None',
        clusterIPs: ['None'],
        internalTrafficPolicy: 'Cluster',
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        selector: { a: 'b' },
        sessionAffinity: 'None',
        type: 'ClusterIP',
      },
    ],
    [
      'a headless one without selector',
      { clusterIP: 'None' },
      {
        clusterIP: 'None',
        clusterIPs: ['None'],
        internalTrafficPolicy: 'Cluster',
        ipFamilies: ['IPv4', 'IPv6'],
        ipFamilyPolicy: 'RequireDualStack',
        sessionAffinity: 'None',
        type: 'ClusterIP',
      },
    ],
    [
      'an alias',
      { type: 'ExternalName', externalName: 'foo.bar', ports: [] },
      {
        externalName: 'foo.bar',
        sessionAffinity: 'None',
        type: 'ExternalName',
      },
    ],
    [
      'a balanced one',
      { type: 'LoadBalancer', sessionAffinity: 'ClientIP', ports: [{ port: 80, targetPort: 'web' }] },
      {
        allocateLoadBalancerNodePorts: true,
        externalTrafficPolicy: 'Cluster',
        internalTrafficPolicy: 'Cluster',
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        ports: [{ port: 80, protocol: 'TCP', targetPort: 'web' }],
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } },
        type: 'LoadBalancer',
      },
    ],
  ])('complete %s', (_, spec, expected) => {
    const outcome = created(spec)
    expect(outcome.object.spec).toEqual(expected)
    expect(outcome.object.status).toEqual({ loadBalancer: {} })
    expect(errorTexts(outcome)).toEqual([])
  })
})

describe('Service validation', () => {
  it.each([
    ['no ports', {}, ['spec.ports: Required value']],
    [
      'unnamed ports, one of them invalid',
      { ports: [{ port: 0 }, { port: 80 }] },
      [
        'spec.ports[0].name: Required value',
        'spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
        'spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive',
        'spec.ports[1].name: Required value',
      ],
    ],
    [
      'the same port and name twice',
      {
        ports: [
          { name: 'a', port: 80 },
          { name: 'a', port: 80 },
        ],
      },
      [
        'spec.ports[1].name: Duplicate value: "a"',
        'spec.ports[1]: Duplicate value: core.ServicePort{Name:"", Protocol:"TCP", AppProtocol:(*string)(nil), Port:80, TargetPort:intstr.IntOrString{Type:0, IntVal:0, StrVal:""}, NodePort:0}',
      ],
    ],
    [
      'ports of every wrong kind',
      { ports: [{ port: 80, protocol: 'HTTP', targetPort: 'a--b', appProtocol: 'a/b/c' }] },
      [
        'spec.ports[0].protocol: Unsupported value: "HTTP": supported values: "SCTP", "TCP", "UDP"',
        'spec.ports[0].targetPort: Invalid value: "a--b": must not contain consecutive hyphens',
        expect.stringContaining('spec.ports[0].appProtocol: Invalid value: "a/b/c": a qualified name'),
      ],
    ],
    [
      'a long port name',
      { ports: [{ port: 80, targetPort: '0123456789012345' }] },
      [
        'spec.ports[0].targetPort: Invalid value: "0123456789012345": must be no more than 15 characters',
        'spec.ports[0].targetPort: Invalid value: "0123456789012345": must contain at least one letter (a-z)',
      ],
    ],
    [
      'an unknown type',
      { ...web, type: 'Cloud' },
      [
        'spec.type: Unsupported value: "Cloud": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
      ],
    ],
    [
      'node ports inside',
      { ports: [{ port: 80, nodePort: 30000 }] },
      ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
    ],
    [
      'a node port twice',
      {
        type: 'NodePort',
        ports: [
          { name: 'a', port: 1, nodePort: 30000 },
          { name: 'b', port: 2, nodePort: 30000 },
        ],
      },
      ['spec.ports[1].nodePort: Duplicate value: 30000'],
    ],
    [
      'a balanced kubelet',
      { type: 'LoadBalancer', ports: [{ port: 10250 }] },
      ['spec.ports[0]: Invalid value: 10250: may not expose port 10250 externally since it is used by kubelet'],
    ],
    [
      'a headless node port',
      { ...web, type: 'NodePort', clusterIP: 'None', selector: { a: 'b' } },
      ['spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for NodePort services'],
    ],
    ['an alias for nothing', { type: 'ExternalName' }, ['spec.externalName: Required value']],
    [
      'an alias with addresses',
      { type: 'ExternalName', externalName: 'a.b.', clusterIP: '10.0.0.1', ipFamilyPolicy: 'SingleStack' },
      [
        'spec.clusterIPs: Forbidden: may not be set for ExternalName services',
        'spec.ipFamilyPolicy: Forbidden: may not be set for ExternalName services',
      ],
    ],
    [
      'invalid addresses',
      { ...web, clusterIP: 'x' },
      ['spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
    ],
    [
      'addresses that disagree',
      { ...web, clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.2'] },
      ['spec.clusterIPs: Invalid value: []string{"10.0.0.2"}: first value must match `clusterIP`'],
    ],
    [
      'only the newer field',
      { ...web, clusterIPs: ['10.0.0.2'] },
      ['spec.clusterIPs: Invalid value: []string{"10.0.0.2"}: must be empty when `clusterIP` is not specified'],
    ],
    [
      'families that the cluster has not',
      { ...web, ipFamilies: ['IPv6'] },
      ['spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster'],
    ],
    [
      'two stacks',
      { ...web, ipFamilyPolicy: 'RequireDualStack' },
      [
        'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
      ],
    ],
    [
      'affinity of a wrong kind',
      { ...web, sessionAffinity: 'Cookie' },
      ['spec.sessionAffinity: Unsupported value: "Cookie": supported values: "ClientIP", "None"'],
    ],
    [
      'affinity for ever',
      { ...web, sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 86401 } } },
      [
        'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400',
      ],
    ],
    [
      'balancer fields without a balancer',
      {
        ...web,
        loadBalancerSourceRanges: ['10.0.0.0/8'],
        loadBalancerClass: 'a/b',
        allocateLoadBalancerNodePorts: true,
      },
      [
        "spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'",
        "spec.allocateLoadBalancerNodePorts: Forbidden: may only be used when `type` is 'LoadBalancer'",
        "spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'",
      ],
    ],
    [
      'invalid ranges',
      { ...web, type: 'LoadBalancer', loadBalancerSourceRanges: ['10.0.0.0/33', ' 10.0.0.0/8 '] },
      [
        'spec.LoadBalancerSourceRanges[0]: Invalid value: "10.0.0.0/33": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      ],
    ],
    [
      'outside policies inside',
      { ...web, externalTrafficPolicy: 'Local', healthCheckNodePort: 30000 },
      [
        'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
        "spec.healthCheckNodePort: Invalid value: 30000: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ],
    ],
    [
      'unknown policies for internal traffic',
      { ...web, internalTrafficPolicy: 'Near', trafficDistribution: 'Far' },
      [
        'spec.internalTrafficPolicy: Unsupported value: "Near": supported values: "Cluster", "Local"',
        'spec.trafficDistribution: Unsupported value: "Far": supported values: "PreferClose"',
      ],
    ],
    [
      'external addresses on the own machine',
      { ...web, externalIPs: ['127.0.0.1', 'a'] },
      [
        'spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
        'spec.externalIPs[1]: Invalid value: "a": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ],
    ],
    [
      'an invalid selector',
      { ...web, selector: { a: '-' } },
      [expect.stringContaining('spec.selector: Invalid value: "-": a valid label must be')],
    ],
  ])('refuses %s', (_, spec, errors) => {
    expect(errorTexts(created(spec))).toEqual(errors)
  })

  it.each([
    [{ ...web, externalName: 'a.b' }, ['spec.externalName is ignored when spec.type is not "ExternalName"']],
    [
      { type: 'ExternalName', externalName: 'a.b', externalIPs: ['1.2.3.4'] },
      ['spec.externalIPs is ignored when spec.type is "ExternalName"'],
    ],
    [
      { ...web, externalIPs: ['2001:DB8::0:1'] },
      [
        'spec.externalIPs[0]: IPv6 address "2001:DB8::0:1" is not in RFC 5952 canonical format ("2001:db8::1"), which may cause controller apply-loops',
      ],
    ],
  ])('warns of %j', (spec, warnings) => {
    expect(created(spec).warnings).toEqual(warnings)
  })
})

describe('Service status', () => {
  const status = (type: string, ingress: object) => {
    const { object } = created({ ...web, type })
    const sent = { ...object, status: { loadBalancer: { ingress: [ingress] } } }
    return service.strategy.validateStatusUpdate?.(sent, object).map(({ field, message }) => `${field}: ${message}`)
  }

  it.each([
    [
      'ClusterIP',
      { ip: '1.2.3.4', ipMode: 'VIP' },
      ["status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'"],
    ],
    ['LoadBalancer', { ip: '1.2.3.4', ipMode: 'VIP' }, []],
    [
      'LoadBalancer',
      { ip: '1.2.3.4' },
      ['status.loadBalancer.ingress[0].ipMode: Required value: must be specified when `ip` is set'],
    ],
    [
      'LoadBalancer',
      { hostname: '1.2.3.4', ipMode: 'VIP' },
      [
        'status.loadBalancer.ingress[0].ipMode: Forbidden: may not be specified when `ip` is not set',
        'status.loadBalancer.ingress[0].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
      ],
    ],
  ])('of %s with %j', (type, ingress, errors) => {
    expect(status(type, ingress)).toEqual(errors)
  })
})

describe('Service columns', () => {
  it.each([
    [web, ['sv', 'ClusterIP', '<none>', '<none>', '80/TCP', '<unknown>', '<none>']],
    [
      { clusterIP: 'None', selector: { b: '2', a: '1' } },
      ['sv', 'ClusterIP', 'None', '<none>', '<none>', '<unknown>', 'a=1,b=2'],
    ],
    [
      {
        type: 'NodePort',
        clusterIP: '10.0.0.1',
        externalIPs: ['1.2.3.4', '1.2.3.5'],
        ports: [
          { name: 'a', port: 443, nodePort: 30443 },
          { name: 'b', port: 53, protocol: 'UDP' },
        ],
      },
      ['sv', 'NodePort', '10.0.0.1', '1.2.3.4,1.2.3.5', '443:30443/TCP,53/UDP', '<unknown>', '<none>'],
    ],
    [{ ...web, type: 'LoadBalancer' }, ['sv', 'LoadBalancer', '<none>', '<pending>', '80/TCP', '<unknown>', '<none>']],
    [
      { type: 'ExternalName', externalName: 'foo.bar' },
      ['sv', 'ExternalName', '<none>', 'foo.bar', '<none>', '<unknown>', '<none>'],
    ],
  ])('of %j', (spec, cells) => {
    const { object } = created(spec)
    expect(service.columns?.map((each) => each.value(object, 0))).toEqual(cells)
  })

  it('show the full host name of a load balancer', () => {
    const { object } = created({ ...web, type: 'LoadBalancer' })
    const balanced = { ...object, status: { loadBalancer: { ingress: [{ hostname: 'very-long.example.com' }] } } }
    expect(service.columns?.[3]?.value(balanced, 0)).toBe('very-long.example.com')
  })
})

describe('Service ports', () => {
  it.each([
    [1_000, []],
    [1_001, ['spec.ports: Too many: 1001: must have at most 1000 items']],
  ])('have a limit of a thousand: %d', (count, errors) => {
    const ports = Array.from({ length: count }, (_, at) => ({ name: `p${at}`, port: at + 1 }))
    expect(errorTexts(created({ ports }))).toEqual(errors)
  })
})

describe('Service updates', () => {
  const { object: old } = created({ ...web, clusterIP: '10.0.0.1' })

  it('keep what the client omits', () => {
    const outcome = previewUpdate(service, { metadata, spec: { ports: [{ port: 81 }] } }, old)
    expect(outcome.object.spec).toMatchObject({ clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], ipFamilies: ['IPv4'] })
    expect(errorTexts(outcome)).toEqual([])
  })

  it('never change the cluster IP', () => {
    const outcome = previewUpdate(service, { ...old, spec: { ...Object(old.spec), clusterIP: '10.0.0.77' } }, old)
    expect(errorTexts(outcome)).toEqual([
      'spec.clusterIPs[0]: Invalid value: []string{"10.0.0.77"}: may not change once set',
    ])
  })

  it('never change the load balancer class', () => {
    const { object: balanced } = created({ ...web, type: 'LoadBalancer', loadBalancerClass: 'a/b' })
    const outcome = previewUpdate(service, { metadata, spec: { ...web, type: 'LoadBalancer' } }, balanced)
    expect(errorTexts(outcome)).toEqual(['spec.loadBalancerClass: Invalid value: "null": may not change once set'])
  })
})
