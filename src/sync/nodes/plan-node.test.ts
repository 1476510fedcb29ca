import { describe, expect, it } from 'vitest'
import type { Node, NodeCondition, Taint } from '../../api/types/core-v1.ts'
import { isCordonedByTenant, type NodeRules, planNode } from './plan-node.ts'

const since = '2030-01-01T00:00:00Z'
const rules: NodeRules = { labels: {}, now: '2030-01-02T00:00:00Z' }
const ready: NodeCondition = {
  type: 'Ready',
  status: 'True',
  lastHeartbeatTime: '2030-01-01T12:00:00Z',
  lastTransitionTime: since,
  reason: 'KubeletReady',
  message: 'on rack 7',
}
const dedicated: Taint = { key: 'dedicated', value: 'us', effect: 'NoSchedule' }

/** A node of the host, with much that does not concern tenants. */
function hostNode(more: { readonly spec?: Node['spec']; readonly conditions?: readonly NodeCondition[] } = {}): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: 'n1',
      uid: 'host-uid',
      resourceVersion: '7',
      labels: { 'kubernetes.io/arch': 'amd64', 'example.com/rack': '7' },
      annotations: { 'example.com/serial': 'secret' },
    },
    spec: { podCIDR: '10.1.0.0/24', providerID: 'cloud://7', ...more.spec },
    status: {
      capacity: { cpu: '4', pods: '110' },
      allocatable: { cpu: '3', pods: '110' },
      conditions: more.conditions ?? [ready],
      addresses: [{ type: 'InternalIP', address: '192.0.2.7' }],
      images: [{ names: ['registry.example.com/other-tenant:1'] }],
      volumesInUse: ['a'],
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      nodeInfo: {
        machineID: 'id-of-machine',
        systemUUID: 'id-of-system',
        bootID: 'id-of-boot',
        kernelVersion: '6.1',
        osImage: 'Debian',
        containerRuntimeVersion: 'containerd://2',
        kubeletVersion: 'v1.32.0',
        kubeProxyVersion: '',
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
    },
  }
}

/** The node in the virtual cluster, including what its server adds. */
function shown(host = hostNode()): Node {
  const plan = planNode(host, undefined, rules)
  if (plan.action !== 'create') throw new Error(plan.action)
  return { ...plan.node, metadata: { ...plan.node.metadata, uid: 'own-uid', resourceVersion: '1' } }
}

function taintsOf({ spec }: Node): readonly string[] {
  return (spec.taints ?? []).map(({ key, effect }) => `${key}:${effect}`)
}

describe('a node of the host in the virtual cluster', () => {
  it('shows what scheduling needs, and nothing about the machine', () => {
    const node = shown()
    expect(node.metadata.labels).toEqual({ 'kubernetes.io/arch': 'amd64', 'tenant.internal/imported': 'node' })
    expect(node.status).toMatchObject({
      capacity: { cpu: '4', pods: '110' },
      allocatable: { cpu: '3', pods: '110' },
      addresses: [{ type: 'Hostname', address: 'n1' }],
    })
    const text = JSON.stringify(node)
    for (const hidden of ['192.0.2.7', 'secret', 'rack', 'id-of-', 'cloud://', '10.1.0.0', '10250', 'other-tenant']) {
      expect(text).not.toContain(hidden)
    }
  })

  it('shows labels that the operator has named', () => {
    const plan = planNode(hostNode(), undefined, { ...rules, labels: { 'example.com/rack': 'any' } })
    expect(plan).toMatchObject({ action: 'create', node: { metadata: { labels: { 'example.com/rack': '7' } } } })
  })

  it('is written once: heartbeats change nothing', () => {
    const later = hostNode({ conditions: [{ ...ready, lastHeartbeatTime: '2030-01-01T13:00:00Z', message: 'well' }] })
    expect(planNode(later, shown(), rules)).toEqual({ action: 'nothing' })
  })

  it('follows its conditions, and has the taints that they mean', () => {
    const failing: NodeCondition = { ...ready, status: 'Unknown', lastTransitionTime: '2030-01-01T14:00:00Z' }
    const host = hostNode({ conditions: [failing] })
    const first = planNode(host, shown(), rules)
    expect(first).toMatchObject({ action: 'update' })
    const node = 'node' in first ? first.node : shown()
    expect(taintsOf(node)).toEqual(['node.kubernetes.io/unreachable:NoSchedule'])
    const second = planNode(host, { ...node, status: shown().status }, rules)
    expect(second).toMatchObject({ action: 'update status', node: { status: { conditions: [{ status: 'Unknown' }] } } })
    expect('node' in second && planNode(host, second.node, { ...rules, now: 'later' })).toEqual({ action: 'nothing' })
  })

  it('keeps new Pods away where the host evicts Pods, and evicts none itself', () => {
    const taints: readonly Taint[] = [
      dedicated,
      { ...dedicated, effect: 'NoExecute', timeAdded: since },
      { key: 'gpu', effect: 'NoExecute' },
      { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute', timeAdded: since },
    ]
    expect(taintsOf(shown(hostNode({ spec: { taints } })))).toEqual(['dedicated:NoSchedule', 'gpu:NoSchedule'])
  })

  it.each<[string, Partial<Node['metadata']>, Partial<Node['spec']>]>([
    ['labels', { labels: { 'kubernetes.io/arch': 'arm64', 'tenant.internal/imported': 'node', mine: 'a' } }, {}],
    ['taints', {}, { taints: [{ key: 'mine', effect: 'NoExecute' }] }],
  ])('has no %s of the tenant', (_what, metadata, spec) => {
    const there = shown()
    const edited = { ...there, metadata: { ...there.metadata, ...metadata }, spec: { ...there.spec, ...spec } }
    const plan = planNode(hostNode(), edited, rules)
    expect(plan).toMatchObject({ action: 'update', node: { metadata: { labels: there.metadata.labels } } })
    expect('node' in plan && taintsOf(plan.node)).toEqual([])
  })

  it('keeps annotations of the tenant', () => {
    const there = shown()
    const annotations = { ...there.metadata.annotations, mine: 'a' }
    expect(planNode(hostNode(), { ...there, metadata: { ...there.metadata, annotations } }, rules).action).toBe(
      'nothing',
    )
  })

  it('keeps a cordon of the tenant, and reverts an uncordon of a node that the host cordoned', () => {
    const there = shown()
    const cordoned = { ...there, spec: { ...there.spec, unschedulable: true } }
    expect(isCordonedByTenant(cordoned)).toBe(true)
    const plan = planNode(hostNode(), cordoned, rules)
    expect(plan).toMatchObject({ action: 'update', node: { spec: { unschedulable: true } } })
    expect('node' in plan && taintsOf(plan.node)).toEqual(['node.kubernetes.io/unschedulable:NoSchedule'])
    const host = hostNode({ spec: { unschedulable: true } })
    const byHost = shown(host)
    expect(isCordonedByTenant(byHost)).toBe(false)
    const uncordoned = { ...byHost, spec: { ...byHost.spec, unschedulable: false } }
    expect(planNode(host, uncordoned, rules)).toMatchObject({
      action: 'update',
      node: { spec: { unschedulable: true } },
    })
    expect(planNode(hostNode(), byHost, rules)).toMatchObject({
      action: 'update',
      node: { spec: { unschedulable: false } },
    })
  })

  it('is deleted when it is not wanted, unless it is being deleted', () => {
    const there = shown()
    expect(planNode(undefined, there, rules)).toEqual({ action: 'delete', node: there })
    const going = { ...there, metadata: { ...there.metadata, deletionTimestamp: since } }
    expect(planNode(undefined, going, rules)).toEqual({ action: 'nothing' })
    expect(planNode(undefined, undefined, rules)).toEqual({ action: 'nothing' })
  })
})
