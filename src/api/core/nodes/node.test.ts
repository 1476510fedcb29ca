import { describe, expect, it } from 'vitest'
import { errorTexts, previewCreate, previewUpdate } from '../../../../tests/support/strategy-steps.ts'
import { node } from './node.ts'

const metadata = { name: 'n' }

function taintsOf(count: number) {
  return Array.from({ length: count }, (_, index) => ({ key: `k${index}`, effect: 'NoSchedule' }))
}

describe('Node', () => {
  it('defaults its allocatable resources to its capacity', () => {
    const registered = { metadata, status: { capacity: { cpu: '4' } }, apiVersion: 'v1', kind: 'Node' }
    expect(node.strategy.defaults?.(registered)).toMatchObject({ status: { allocatable: { cpu: '4' } } })
    expect(node.keepsStatusOnCreate).toBe(true)
  })

  it.each([
    [{ podCIDRs: ['10.0.0.0/24', 'fd00::/64'] }, []],
    [
      { podCIDRs: ['10.0.0.0/24', '10.0.1.0/24'] },
      [
        'spec.podCIDRs: Invalid value: []string{"10.0.0.0/24", "10.0.1.0/24"}: may specify no more than one CIDR for each IP family',
      ],
    ],
    [
      { taints: [{ key: 'a', effect: 'Never' }] },
      [
        'metadata.taints[0].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      ],
    ],
    [
      { podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24', '10.0.0.0/24'] },
      [
        'spec.podCIDRs: Invalid value: []string{"10.0.0.0/24", "10.0.0.0/24"}: may specify no more than one CIDR for each IP family',
        'spec.podCIDRs[1]: Duplicate value: "10.0.0.0/24"',
      ],
    ],
    [
      { podCIDR: 'somewhere' },
      ['spec.podCIDRs[0]: Invalid value: "somewhere": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'],
    ],
    [{ taints: taintsOf(100) }, []],
    [{ taints: taintsOf(101) }, ['metadata.taints: Too many: 101: must have at most 100 items']],
  ])('validates %j', (spec, errors) => {
    expect(errorTexts(previewCreate(node, { metadata, spec }))).toEqual(errors)
  })

  it.each([
    [{ podCIDR: '10.0.0.0/24' }, ['10.0.0.0/24']],
    [{ podCIDRs: ['10.0.0.0/24', 'fd00::/64'] }, ['10.0.0.0/24', 'fd00::/64']],
    [{ podCIDR: '10.0.1.0/24', podCIDRs: ['10.0.0.0/24', 'fd00::/64'] }, ['10.0.1.0/24']],
  ])('shows the first network of %j in both fields', (spec, podCIDRs) => {
    const { object } = previewCreate(node, { metadata, spec })
    expect(object.spec).toMatchObject({ podCIDR: podCIDRs[0], podCIDRs })
  })

  it('has valid amounts and no duplicate addresses', () => {
    const kubelet = (status: object) => ({ metadata, status, apiVersion: 'v1', kind: 'Node', spec: {} })
    const texts = (status: object) =>
      [
        ...(node.strategy.validate?.(kubelet(status)) ?? []),
        ...(node.strategy.validateStatusUpdate?.(kubelet(status), kubelet({})) ?? []),
      ].map(({ field, message }) => `${field}: ${message}`)
    const address = { type: 'InternalIP', address: '10.0.0.1' }
    expect(texts({ capacity: { cpu: '-1' }, addresses: [address, address] })).toEqual([
      'status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0',
      expect.stringMatching(/^status\.addresses\[1\]: Duplicate value: /),
    ])
  })

  it('cannot change its pod CIDRs or its provider ID', () => {
    const { object: old } = previewCreate(node, { metadata, spec: { podCIDRs: ['10.0.0.0/24'], providerID: 'a' } })
    expect(errorTexts(previewUpdate(node, { metadata, spec: { providerID: 'b', unschedulable: true } }, old))).toEqual([
      'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
      'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
    ])
  })

  it.each([
    [
      {},
      {},
      {},
      ['n', 'Unknown', '<none>', '<unknown>', '', '<none>', '<none>', '<unknown>', '<unknown>', '<unknown>'],
    ],
    [
      {
        'node-role.kubernetes.io/worker': '',
        'node-role.kubernetes.io/control-plane': '',
        'kubernetes.io/role': 'edge',
      },
      { unschedulable: true },
      {
        conditions: [{ type: 'Ready', status: 'True' }],
        addresses: [
          { type: 'InternalIP', address: '10.0.0.1' },
          { type: 'ExternalIP', address: '1.2.3.4' },
        ],
        nodeInfo: {
          kubeletVersion: 'v1.32.4',
          osImage: 'Debian',
          kernelVersion: '6',
          containerRuntimeVersion: 'containerd://2',
        },
      },
      [
        'n',
        'Ready,SchedulingDisabled',
        'control-plane,edge,worker',
        '<unknown>',
        'v1.32.4',
        '10.0.0.1',
        '1.2.3.4',
        'Debian',
        '6',
        'containerd://2',
      ],
    ],
    [{}, {}, { conditions: [{ type: 'Ready', status: 'Unknown' }] }, ['n', 'NotReady']],
  ])('prints labels %j', (labels, spec, status, cells) => {
    const { object } = previewCreate(node, { metadata: { name: 'n', labels }, spec })
    const shown = { ...object, status: { ...Object(object.status), ...status } }
    expect(node.columns?.slice(0, cells.length).map((each) => each.value(shown, 0))).toEqual(cells)
  })
})
