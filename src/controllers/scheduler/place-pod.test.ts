import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../api/object.ts'
import type { NodePlacement } from './contract.ts'
import { placePod } from './place-pod.ts'
import { nodeFactsFrom, scheduledFactsFrom } from './scheduled-facts.ts'
import { SchedulerState } from './scheduler-state.ts'

type Part = Readonly<Record<string, unknown>>

const roomy = { cpu: '4', memory: '8Gi', pods: '10' }

function nodeNamed(name: string, more: { labels?: Record<string, string>; spec?: Part; room?: Part } = {}): KubeObject {
  const { labels = {}, spec = {}, room = roomy } = more
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    spec,
    status: { allocatable: room },
  }
}

function podNamed(name: string, spec: Part = {}, metadata: Part = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', uid: name, ...metadata },
    spec: { containers: [{ name: 'c', resources: {} }], ...spec },
    status: { phase: 'Pending' },
  }
}

function asking(requests: Part, more: Part = {}): Part {
  return { containers: [{ name: 'c', resources: { requests }, ...more }] }
}

function on(node: string, pod: KubeObject): KubeObject {
  return { ...pod, spec: { ...(pod.spec as Part), nodeName: node } }
}

function placed(pod: KubeObject, nodes: readonly KubeObject[], others: readonly KubeObject[] = []): NodePlacement {
  const state = new SchedulerState((name) => ({ 'kubernetes.io/metadata.name': name }))
  for (const node of nodes) state.putNode(nodeFactsFrom(node))
  for (const other of others)
    state.putPod(`${other.metadata.namespace}/${other.metadata.name}`, scheduledFactsFrom(other))
  const { wish } = scheduledFactsFrom(pod)
  if (wish === undefined) throw new Error('the Pod does not wait for a node')
  return placePod(wish, state.nodes(), state)
}

const one = nodeNamed('one')
const notHelpful = 'preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.'
const noVictims = 'preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.'
const web = { labels: { app: 'web' } }
const webTerm = { labelSelector: { matchLabels: { app: 'web' } }, topologyKey: 'kubernetes.io/hostname' }
const requiring = (terms: readonly unknown[]) => ({ requiredDuringSchedulingIgnoredDuringExecution: terms })
const besideWeb = { affinity: { podAffinity: requiring([webTerm]) } }
const apartFromWeb = { affinity: { podAntiAffinity: requiring([webTerm]) } }
const evenly = (more: Part = {}) => ({
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      whenUnsatisfiable: 'DoNotSchedule',
      topologyKey: 'zone',
      labelSelector: webTerm.labelSelector,
      ...more,
    },
  ],
})
const nodeAffinity = (expression: Part) => ({
  affinity: { nodeAffinity: requiring({ nodeSelectorTerms: [{ matchExpressions: [expression] }] } as never) },
})
const tainted = nodeNamed('one', { spec: { taints: [{ key: 'a', value: 'b', effect: 'NoSchedule' }] } })
const cordoned = nodeNamed('one', { spec: { unschedulable: true } })

describe('no node fits, and the reason is reported,', () => {
  it.each<[string, KubeObject, KubeObject, readonly KubeObject[], string]>([
    [
      'by nodeSelector',
      podNamed('p', { nodeSelector: { disk: 'ssd' } }),
      one,
      [],
      `1 node(s) didn't match Pod's node affinity/selector. ${notHelpful}`,
    ],
    [
      'by node affinity',
      podNamed('p', nodeAffinity({ key: 'cores', operator: 'Gt', values: ['8'] })),
      nodeNamed('one', { labels: { cores: '8' } }),
      [],
      `1 node(s) didn't match Pod's node affinity/selector. ${notHelpful}`,
    ],
    ['by a taint', podNamed('p'), tainted, [], `1 node(s) had untolerated taint {a: b}. ${notHelpful}`],
    [
      'by a taint with another effect than is tolerated',
      podNamed('p', { tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoExecute' }] }),
      tainted,
      [],
      `1 node(s) had untolerated taint {a: b}. ${notHelpful}`,
    ],
    ['by a cordon', podNamed('p'), cordoned, [], `1 node(s) were unschedulable. ${notHelpful}`],
    [
      'by resources',
      podNamed('p', asking({ cpu: '5', memory: '9Gi', 'example.com/gpu': '1' })),
      one,
      [],
      `1 Insufficient cpu, 1 Insufficient example.com/gpu, 1 Insufficient memory. ${noVictims}`,
    ],
    [
      'by the requests of other Pods',
      podNamed('p', asking({ cpu: '2500m' })),
      one,
      [on('one', podNamed('o', asking({ cpu: '1600m' })))],
      `1 Insufficient cpu. ${noVictims}`,
    ],
    [
      'by the number of Pods',
      podNamed('p'),
      nodeNamed('one', { room: { pods: '1' } }),
      [on('one', podNamed('o'))],
      `1 Too many pods. ${noVictims}`,
    ],
    [
      'by ports',
      podNamed('p', asking({}, { ports: [{ containerPort: 80, hostPort: 80 }] })),
      one,
      [on('one', podNamed('o', asking({}, { ports: [{ containerPort: 8080, hostPort: 80, hostIP: '10.0.0.1' }] })))],
      `1 node(s) didn't have free ports for the requested pod ports. ${noVictims}`,
    ],
    [
      'by affinity to Pods',
      podNamed('p', besideWeb),
      one,
      [],
      `1 node(s) didn't match pod affinity rules. ${notHelpful}`,
    ],
    [
      'by affinity to Pods of its own namespace',
      podNamed('p', besideWeb),
      one,
      [on('one', podNamed('o', {}, { ...web, namespace: 'other' }))],
      `1 node(s) didn't match pod affinity rules. ${notHelpful}`,
    ],
    [
      'by anti-affinity',
      podNamed('p', apartFromWeb),
      one,
      [on('one', podNamed('o', {}, web))],
      `1 node(s) didn't match pod anti-affinity rules. ${noVictims}`,
    ],
    [
      'by anti-affinity of others',
      podNamed('p', {}, web),
      one,
      [on('one', podNamed('o', apartFromWeb))],
      `1 node(s) didn't satisfy existing pods anti-affinity rules. ${noVictims}`,
    ],
    [
      'by spreading over a label that it lacks',
      podNamed('p', evenly(), web),
      one,
      [],
      `1 node(s) didn't match pod topology spread constraints (missing required label). ${notHelpful}`,
    ],
    [
      'by spreading over more domains than exist',
      podNamed('p', evenly({ minDomains: 2 }), web),
      nodeNamed('one', { labels: { zone: 'a' } }),
      [on('one', podNamed('o', {}, web))],
      `1 node(s) didn't match pod topology spread constraints. ${noVictims}`,
    ],
    [
      'and preemption was not wanted',
      podNamed('p', { preemptionPolicy: 'Never' }),
      cordoned,
      [],
      '1 node(s) were unschedulable. preemption: not eligible due to preemptionPolicy=Never.',
    ],
  ])('%s', (_, pod, node, others, reason) => {
    const message = `0/1 nodes are available: ${reason}`
    expect(placed(pod, [node], others)).toEqual({ placement: 'refuse', uid: 'p', message })
  })

  it('if the Pod has too many conditions', () => {
    const terms = Array.from({ length: 251 }, () => webTerm)
    const pod = podNamed('p', { affinity: { podAntiAffinity: requiring(terms) } })
    expect(placed(pod, [one])).toMatchObject({ message: expect.stringContaining('has 502 conditions') })
  })

  it('if there are no nodes', () => {
    expect(placed(podNamed('p'), [])).toMatchObject({ message: 'no nodes available to schedule pods' })
  })

  it('counted by reason for several nodes', () => {
    const message = placed(podNamed('p', asking({ cpu: '5' })), [
      one,
      nodeNamed('two'),
      { ...cordoned, metadata: { name: 'three' } },
    ])
    expect(message).toMatchObject({
      message:
        '0/3 nodes are available: 1 node(s) were unschedulable, 2 Insufficient cpu. preemption: 0/3 nodes are available: 1 Preemption is not helpful for scheduling, 2 No preemption victims found for incoming pod.',
    })
  })
})

describe('a node is found', () => {
  it.each<[string, KubeObject, readonly KubeObject[], readonly KubeObject[], string]>([
    [
      'with the requested labels',
      podNamed('p', { nodeSelector: { disk: 'ssd' } }),
      [one, nodeNamed('two', { labels: { disk: 'ssd' } })],
      [],
      'two',
    ],
    [
      'by its name',
      podNamed('p', {
        affinity: {
          nodeAffinity: requiring({
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['two'] }] }],
          } as never),
        },
      }),
      [one, nodeNamed('two')],
      [],
      'two',
    ],
    [
      'with a tolerated taint',
      podNamed('p', { tolerations: [{ key: 'a', operator: 'Equal', value: 'b' }] }),
      [tainted],
      [],
      'one',
    ],
    ['with a tolerated cordon', podNamed('p', { tolerations: [{ operator: 'Exists' }] }), [cordoned], [], 'one'],
    [
      'that is used least',
      podNamed('p'),
      [one, nodeNamed('two')],
      [on('one', podNamed('o', asking({ cpu: '1' })))],
      'two',
    ],
    [
      'in spite of finished Pods',
      podNamed('p', asking({ cpu: '4' })),
      [one],
      [on('one', { ...podNamed('o', asking({ cpu: '4' })), status: { phase: 'Succeeded' } })],
      'one',
    ],
    [
      'beside the Pods that it wants',
      podNamed('p', besideWeb),
      [one, nodeNamed('two')],
      [on('two', podNamed('o', asking({ cpu: '1' }), web))],
      'two',
    ],
    ['for the first of those that want to be together', podNamed('p', besideWeb, web), [one], [], 'one'],
    [
      'beside Pods of namespaces that are selected',
      podNamed('p', {
        affinity: {
          podAffinity: requiring([
            { ...webTerm, namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'other' } } },
          ]),
        },
      }),
      [one, nodeNamed('two')],
      [on('two', podNamed('o', asking({ cpu: '1' }), { ...web, namespace: 'other' }))],
      'two',
    ],
    [
      'apart from the Pods that it does not want',
      podNamed('p', apartFromWeb),
      [one, nodeNamed('two')],
      [on('one', podNamed('o', {}, web))],
      'two',
    ],
    [
      'in the emptiest part',
      podNamed('p', evenly(), web),
      [nodeNamed('one', { labels: { zone: 'a' } }), nodeNamed('two', { labels: { zone: 'b' }, room: { pods: '2' } })],
      [on('one', podNamed('o', {}, web))],
      'two',
    ],
    [
      'in spite of terminating Pods',
      podNamed('p', evenly(), web),
      [nodeNamed('one', { labels: { zone: 'a' } })],
      [on('one', podNamed('o', {}, { ...web, deletionTimestamp: '2030-01-01T00:00:00Z' }))],
      'one',
    ],
  ])('%s', (_, pod, nodes, others, node) => {
    expect(placed(pod, nodes, others)).toEqual({ placement: 'bind', uid: 'p', node })
  })
})

describe('a Pod waits for a node', () => {
  it.each<[string, Part, Part, boolean]>([
    ['until it has one', { nodeName: 'one' }, {}, false],
    ['but not while it is gated', { schedulingGates: [{ name: 'g' }] }, {}, false],
    ['of this scheduler alone', { schedulerName: 'another' }, {}, false],
    ['unless it is being deleted', {}, { deletionTimestamp: '2030-01-01T00:00:00Z' }, false],
    ['from the start', { schedulerName: 'default-scheduler' }, {}, true],
  ])('%s', (_, spec, metadata, isWaiting) => {
    expect(scheduledFactsFrom(podNamed('p', spec, metadata)).wish !== undefined).toBe(isWaiting)
  })
})

describe('the scheduler state', () => {
  it('forgets deleted Pods', () => {
    const state = new SchedulerState(() => undefined)
    state.putNode(nodeFactsFrom(one))
    const ports = { ports: [{ containerPort: 80, hostPort: 80 }] }
    const pod = scheduledFactsFrom(on('one', podNamed('o', { ...asking({ cpu: '1' }, ports), ...apartFromWeb }, web)))
    expect(state.putPod('default/o', pod)).toBe(true)
    expect(state.putPod('default/o', pod)).toBe(false)
    expect(state.putPod('default/o', { ...pod, labels: {} })).toBe(true)
    expect(state.putPod('default/o', { ...pod, requests: new Map() })).toBe(true)
    expect(state.nodes()).toMatchObject([{ podCount: 1 }])
    expect(state.putPod('default/o', undefined)).toBe(true)
    expect(state.nodes()).toEqual([{ node: nodeFactsFrom(one), used: new Map(), podCount: 0, hostPorts: new Map() }])
    const { wish } = scheduledFactsFrom(podNamed('p', apartFromWeb, web))
    expect(wish && placePod(wish, state.nodes(), state)).toMatchObject({ placement: 'bind' })
  })
})
