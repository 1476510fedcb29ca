import { describe, expect, it } from 'vitest'
import type { Node, Taint } from '../../api/types/core-v1.ts'
import { evictionTaintKey, type NodeReadiness, readinessOf, withEvictionTaint } from './eviction-taints.ts'
import { silentNode } from './silent-node.ts'
import { ttlStepOf, ttlText } from './ttl-steps.ts'

const now = '2030-01-01T00:00:00Z'
const before = '2029-01-01T00:00:00Z'
const own = (key: string): Taint => ({ key: `node.kubernetes.io/${key}`, effect: 'NoExecute', timeAdded: before })
const other: Taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }

function nodeWith(taints: readonly Taint[], ready?: string): Node {
  const base = { lastHeartbeatTime: before, lastTransitionTime: before }
  const conditions = ready === undefined ? [] : [{ type: 'Ready', status: ready, ...base }]
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n' },
    spec: { ...(taints.length > 0 && { taints }) },
    status: { conditions } as unknown as Node['status'],
  }
}

describe('the eviction taint', () => {
  it.each<[string | undefined, NodeReadiness]>([
    ['True', 'ready'],
    ['False', 'not ready'],
    ['Unknown', 'unreachable'],
    [undefined, 'not told'],
  ])('follows from Ready=%s: %s', (status, readiness) => {
    expect(readinessOf(nodeWith([], status))).toBe(readiness)
  })

  it.each<[NodeReadiness, boolean, string | undefined]>([
    ['ready', true, undefined],
    ['not ready', true, 'node.kubernetes.io/not-ready'],
    ['unreachable', true, 'node.kubernetes.io/unreachable'],
    ['not told', true, undefined],
    ['unreachable', false, undefined],
    ['not ready', false, undefined],
  ])('of a node that is %s, where any node is ready: %s', (readiness, anyIsReady, key) => {
    expect(evictionTaintKey(readiness, anyIsReady)).toBe(key)
  })

  it.each<[string, readonly Taint[], string | undefined, readonly Taint[] | undefined]>([
    ['is added', [other], 'not-ready', [other, { ...own('not-ready'), timeAdded: now }]],
    ['keeps its time', [own('not-ready')], 'not-ready', undefined],
    ['is replaced', [own('not-ready'), other], 'unreachable', [other, { ...own('unreachable'), timeAdded: now }]],
    ['is removed', [other, own('unreachable')], undefined, [other]],
    ['keeps other taints', [other], undefined, undefined],
  ])('%s', (_, taints, key, wanted) => {
    const next = withEvictionTaint(nodeWith(taints), key && `node.kubernetes.io/${key}`, now)
    expect(next?.spec.taints).toEqual(wanted)
  })

  it('leaves no empty list when it is removed', () => {
    expect(withEvictionTaint(nodeWith([own('not-ready')]), undefined, now)?.spec).toEqual({})
  })
})

describe('a node without heartbeats', () => {
  it('gets unknown conditions, once', () => {
    const silent = silentNode(nodeWith([], 'True'), now)
    expect(silent?.status.conditions).toMatchObject([
      {
        type: 'Ready',
        status: 'Unknown',
        reason: 'NodeStatusUnknown',
        lastHeartbeatTime: before,
        lastTransitionTime: now,
      },
      { type: 'MemoryPressure', status: 'Unknown', reason: 'NodeStatusNeverUpdated', lastTransitionTime: now },
      { type: 'DiskPressure', status: 'Unknown' },
      { type: 'PIDPressure', status: 'Unknown' },
    ])
    expect(silent && silentNode(silent, now)).toBeUndefined()
  })
})

describe('the TTL annotation for kubelets', () => {
  it.each([
    [1, '0'],
    [100, '0'],
    [101, '15'],
    [600, '30'],
    [5_000, '300'],
    [20_000, '600'],
  ])('%i nodes: %s', (count, text) => {
    expect(ttlText(ttlStepOf(count, 0))).toBe(text)
  })

  it('decreases only below a lower threshold', () => {
    const step = ttlStepOf(101, 0)
    expect([ttlText(ttlStepOf(95, step)), ttlText(ttlStepOf(89, step))]).toEqual(['15', '0'])
  })
})
