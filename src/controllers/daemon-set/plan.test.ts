import { describe, expect, it } from 'vitest'
import type { DaemonSet } from '../../api/types/apps-v1.ts'
import type { PodSpec, Taint } from '../../api/types/core-v1.ts'
import { type PodFacts, podFactsFrom } from '../pods/pod-facts.ts'
import { type DaemonNode, daemonNodeFrom, isSamePlace } from './daemon-node.ts'
import { daemonHashLabel, daemonPods } from './daemon-pod.ts'
import { FailedBackoff } from './failed-backoff.ts'
import { daemonPlacement, tolerationsOf } from './placement.ts'
import { planDaemonSet } from './plan.ts'

const nowMs = Date.UTC(2030, 0, 1)

function daemonSetWith(
  rollingUpdate: object = { maxUnavailable: 1, maxSurge: 0 },
  spec: Partial<PodSpec> = {},
): DaemonSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'logs', namespace: 'a', uid: 'logs' },
    spec: {
      selector: { matchLabels: { app: 'logs' } },
      template: { metadata: { labels: { app: 'logs' } }, spec: { containers: [], ...spec } },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate },
    },
    status: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
  }
}

function node(name: string, ...taints: readonly Taint[]): DaemonNode {
  return daemonNodeFrom({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { zone: 'a' } }, spec: { taints } })
}

/** Words describe the state: `ready`, `failed`, `going`, `old` (of another revision), `bound`. */
function pod(name: string, on: string, how = 'ready bound'): PodFacts {
  const made = daemonPods(daemonSetWith(), how.includes('old') ? 'old' : 'new')(on)
  return podFactsFrom({
    ...made,
    metadata: {
      ...made.metadata,
      name,
      uid: name,
      creationTimestamp: '2029-12-31T00:00:00Z',
      ...(how.includes('going') && { deletionTimestamp: '2030-01-01T00:00:00Z' }),
    },
    spec: { ...Object(made.spec), ...(how.includes('bound') && { nodeName: on }) },
    status: {
      phase: how.includes('failed') ? 'Failed' : 'Running',
      conditions: [{ type: 'Ready', status: how.includes('ready') ? 'True' : 'False' }],
    },
  })
}

function planned(daemonSet: DaemonSet, nodes: readonly DaemonNode[], pods: readonly PodFacts[], mayReplace = true) {
  const fitOf = daemonPlacement(daemonSet.spec.template.spec)
  const plan = planDaemonSet({ daemonSet, nodes, fitOf, pods, hash: 'new', mayReplace: () => mayReplace, nowMs })
  return { create: plan.create, remove: plan.remove.map(({ name }) => name), waiting: plan.waiting }
}

describe('each Node has one Pod', () => {
  const full = node('n1', { key: 'full', effect: 'NoSchedule' })
  const ill = node('n1', { key: 'ill', effect: 'NoExecute' })
  it.each([
    ['it gets one', [node('n1')], [], ['n1'], []],
    ['it has one', [node('n1')], [pod('p', 'n1')], [], []],
    ['it has one that is to be bound', [node('n1')], [pod('p', 'n1', '')], [], []],
    ['a terminating one delays its replacement', [node('n1')], [pod('p', 'n1', 'bound going')], [], []],
    [
      'a failed one that is terminating does not count',
      [node('n1')],
      [pod('p', 'n1', 'bound failed going')],
      ['n1'],
      [],
    ],
    ['of two, the one that is bound stays', [node('n1')], [pod('a', 'n1', ''), pod('b', 'n1')], [], ['a']],
    ['a failed one is deleted', [node('n1')], [pod('p', 'n1', 'bound failed')], [], ['p']],
    ['a tainted Node gets none', [full], [], [], []],
    ['a tainted one keeps its own', [full], [pod('p', 'n1')], [], []],
    ['a Node with a NoExecute taint loses it', [ill], [pod('p', 'n1')], [], ['p']],
    ['an unbound Pod of a deleted Node is deleted', [], [pod('p', 'n1', '')], [], ['p']],
    ['but once', [], [pod('p', 'n1', 'going')], [], []],
    ['a bound Pod of a deleted Node is left alone', [], [pod('p', 'n1')], [], []],
  ] as const)('%s', (_, nodes, pods, create, remove) => {
    expect(planned(daemonSetWith(), nodes, pods)).toEqual({ create, remove, waiting: [] })
  })

  it('a Pod that fails repeatedly backs off', () => {
    expect(planned(daemonSetWith(), [node('n1')], [pod('p', 'n1', 'bound failed')], false)).toEqual({
      create: [],
      remove: [],
      waiting: ['n1'],
    })
  })
})

describe('a new template', () => {
  const nodes = ['n1', 'n2', 'n3'].map((name) => node(name))
  const old = [
    pod('p1', 'n1', 'ready bound old'),
    pod('p2', 'n2', 'ready bound old'),
    pod('p3', 'n3', 'ready bound old'),
  ]
  const surging = { maxSurge: 1, maxUnavailable: 0 }
  it.each([
    ['replaces as many as may be missing', { maxUnavailable: 2 }, old, [], ['p1', 'p2']],
    ['replaces a share, rounded up', { maxUnavailable: '34%' }, old, [], ['p1', 'p2']],
    ['waits for those that are missing', { maxUnavailable: 1 }, [pod('p1', 'n1', 'bound'), ...old.slice(1)], [], []],
    [
      'replaces unavailable Pods at once',
      { maxUnavailable: 1 },
      [pod('p1', 'n1', 'bound old'), ...old.slice(1)],
      [],
      ['p1'],
    ],
    ['surges', surging, old, ['n1'], []],
    ['surges no further than it may', surging, [...old, pod('q1', 'n1', 'bound')], [], []],
    ['gives up the old Pod when the new one works', surging, [...old, pod('q1', 'n1')], [], ['p1']],
    [
      'deletes the old Pod if it is no longer available',
      surging,
      [pod('p1', 'n1', 'bound old'), ...old.slice(1), pod('q1', 'n1', 'bound')],
      [],
      ['p1'],
    ],
  ] as const)('%s', (_, rollingUpdate, pods, create, remove) => {
    expect(planned(daemonSetWith(rollingUpdate), nodes, pods)).toEqual({ create, remove, waiting: [] })
  })

  it('waits for the user with OnDelete', () => {
    const { spec, ...rest } = daemonSetWith()
    const onDelete = { ...rest, spec: { ...spec, updateStrategy: { type: 'OnDelete' } } }
    expect(planned(onDelete, nodes, old)).toEqual({ create: [], remove: [], waiting: [] })
  })
})

describe('where a DaemonSet runs', () => {
  it.each([
    ['everywhere', {}, node('n1'), 'runs'],
    ['on the node that is named', { nodeName: 'n2' }, node('n1'), 'never'],
    ['by labels', { nodeSelector: { zone: 'b' } }, node('n1'), 'never'],
    [
      'although the node is cordoned',
      {},
      node('n1', { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }),
      'runs',
    ],
    [
      'although the node is lost',
      {},
      node('n1', { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }),
      'runs',
    ],
    ['where it does no harm', {}, node('n1', { key: 'x', effect: 'PreferNoSchedule' }), 'runs'],
    [
      'not without a network',
      {},
      node('n1', { key: 'node.kubernetes.io/network-unavailable', effect: 'NoSchedule' }),
      'stays',
    ],
    [
      'unless it uses the network of the node',
      { hostNetwork: true },
      node('n1', { key: 'node.kubernetes.io/network-unavailable', effect: 'NoSchedule' }),
      'runs',
    ],
  ] as const)('%s', (_, spec, on, expected) => {
    expect(daemonPlacement({ containers: [], ...spec })(on)).toBe(expected)
  })

  it('tolerations of the template come first, without duplicates', () => {
    const own = { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }
    const all = tolerationsOf({ containers: [], tolerations: [{ key: 'x', operator: 'Exists' }, own] })
    expect(all.map(({ key }) => key)).toEqual([
      'x',
      'node.kubernetes.io/not-ready',
      ...['unreachable', 'disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map(
        (name) => `node.kubernetes.io/${name}`,
      ),
    ])
    expect(all[1]).not.toHaveProperty('tolerationSeconds')
  })

  it('a heartbeat does not count as a change of a Node', () => {
    expect(isSamePlace(node('n1'), node('n1'))).toBe(true)
    expect(isSamePlace(node('n1'), node('n1', { key: 'x', effect: 'NoSchedule' }))).toBe(false)
  })
})

it('a Pod is bound to one Node by affinity, and keeps the other terms of its template', () => {
  const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [] }
  const { spec, metadata } = daemonPods(daemonSetWith({}, { affinity: { podAntiAffinity } }), 'h')('n7')
  expect(metadata.labels).toEqual({ app: 'logs', [daemonHashLabel]: 'h' })
  expect(Object(spec).affinity).toEqual({
    podAntiAffinity,
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n7'] }] }],
      },
    },
  })
})

it('failed Pods are replaced with exponential backoff, which resets after a while', () => {
  let now = 0
  const backoff = new FailedBackoff({ now: () => now })
  const pauses = Array.from({ length: 13 }, () => {
    backoff.note('n1')
    const pause = backoff.remainingMs('n1')
    now += pause
    return pause / 1000
  })
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
  expect([backoff.remainingMs('n1'), backoff.remainingMs('n2')]).toEqual([0, 0])
  now += 3_600_000
  backoff.note('n1')
  expect(backoff.remainingMs('n1')).toBe(1_000)
})
