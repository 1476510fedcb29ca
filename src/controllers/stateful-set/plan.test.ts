import { describe, expect, it } from 'vitest'
import type { StatefulSet, StatefulSetSpec } from '../../api/types/apps-v1.ts'
import { type PodFacts, podFactsFrom } from '../pods/pod-facts.ts'
import { identityIn, identityLabels, podsByOrdinal, revisionLabel } from './identity.ts'
import { planStatefulSet } from './plan.ts'

const nowMs = Date.UTC(2030, 0, 1)
const parallel = { podManagementPolicy: 'Parallel' }

function setWith(spec: Partial<StatefulSetSpec> = {}): StatefulSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'web', namespace: 'a', uid: 'web' },
    spec: {
      replicas: 3,
      serviceName: '',
      podManagementPolicy: 'OrderedReady',
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: {}, spec: { containers: [] } },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      ...spec,
    },
    status: { replicas: 0, availableReplicas: 0 },
  }
}

/** Words describe the state: `ready`, `failed`, `going`, `old` (of another revision). Without any, the Pod is waiting. */
function pod(name: string, how = 'ready'): PodFacts {
  const isReady = how.includes('ready')
  const { ordinal = 0 } = identityIn(name) ?? {}
  return podFactsFrom({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'a',
      uid: name,
      labels: { ...identityLabels(setWith(), ordinal), [revisionLabel]: how.includes('old') ? 'old' : 'new' },
      ...(how.includes('going') && { deletionTimestamp: '2030-01-01T00:00:00Z' }),
    },
    spec: { containers: [] },
    status: {
      phase: how.includes('failed') ? 'Failed' : isReady ? 'Running' : 'Pending',
      conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: '2029-12-31T23:59:50Z' }],
    },
  })
}

function planned(set: StatefulSet, pods: readonly PodFacts[]) {
  const plan = planStatefulSet({ set, pods: podsByOrdinal(set, pods), updateRevision: 'new', nowMs })
  return { create: plan.create, remove: plan.remove.map(({ name }) => name) }
}

describe('in order', () => {
  it.each([
    ['the first Pod is created first', setWith(), [], [0], []],
    ['the next waits for its predecessor', setWith(), [pod('web-0', '')], [], []],
    ['the next is created when its predecessor is ready', setWith(), [pod('web-0')], [1], []],
    ['the predecessor must be available', setWith({ minReadySeconds: 11 }), [pod('web-0')], [], []],
    ['a gap is filled first', setWith(), [pod('web-0'), pod('web-2')], [1], []],
    ['a failed Pod is deleted', setWith(), [pod('web-0', 'failed'), pod('web-1')], [], ['web-0']],
    ['it is replaced when it is gone', setWith(), [pod('web-0', 'failed going')], [], []],
    ['ordinals start at the configured number', setWith({ ordinals: { start: 5 } }), [pod('web-5')], [6], []],
    ['the last is deleted first', setWith({ replicas: 0 }), [pod('web-0'), pod('web-1')], [], ['web-1']],
    ['one at a time', setWith({ replicas: 0 }), [pod('web-0'), pod('web-1', 'ready going')], [], []],
    ['not while one before it does not work', setWith({ replicas: 0 }), [pod('web-0', ''), pod('web-1', '')], [], []],
    ['but if it has ended', setWith({ replicas: 0 }), [pod('web-0', ''), pod('web-1', 'failed')], [], ['web-1']],
    [
      'a Pod that is never ready is deleted first',
      setWith({ replicas: 1 }),
      [pod('web-0'), pod('web-1', '')],
      [],
      ['web-1'],
    ],
    [
      'Pods before the start are deleted, too',
      setWith({ replicas: 1, ordinals: { start: 1 } }),
      [pod('web-0'), pod('web-1')],
      [],
      ['web-0'],
    ],
    ['as many as the API can say', setWith({ replicas: 2_147_483_647 }), [pod('web-0')], [1], []],
  ] as const)('%s', (_, set, pods, create, remove) => {
    expect(planned(set, pods)).toEqual({ create, remove })
  })
})

describe('a new template', () => {
  const three = [pod('web-0', 'ready old'), pod('web-1', 'ready old'), pod('web-2', 'ready old')]
  const rolling = (rollingUpdate: object) => ({ updateStrategy: { type: 'RollingUpdate', rollingUpdate } })
  it.each([
    ['begins with the last', setWith(), three, ['web-2']],
    ['waits until that one works', setWith(), [...three.slice(0, 2), pod('web-2', '')], []],
    ['ends at the partition', setWith(rolling({ partition: 3 })), three, []],
    [
      'counts the partition from the start',
      setWith({ ...rolling({ partition: 2 }), ordinals: { start: 0 } }),
      three,
      ['web-2'],
    ],
    ['replaces several with maxUnavailable', setWith(rolling({ maxUnavailable: 2 })), three, ['web-2', 'web-1']],
    ['rounds a percentage up', setWith(rolling({ maxUnavailable: '34%' })), three, ['web-2', 'web-1']],
    ['waits for the user', setWith({ updateStrategy: { type: 'OnDelete' } }), three, []],
    [
      'replaces unavailable Pods before available ones',
      setWith(parallel),
      [pod('web-0', 'old'), ...three.slice(1)],
      ['web-0'],
    ],
    ['replaces no ready Pod while another one is down', setWith(parallel), [pod('web-0', ''), ...three.slice(1)], []],
    [
      'replaces at most maxUnavailable at a time, even if they are unavailable',
      setWith(parallel),
      [pod('web-0', 'old'), pod('web-1', 'old'), pod('web-2', 'old')],
      ['web-2'],
    ],
  ] as const)('%s', (_, set, pods, remove) => {
    expect(planned(set, pods).remove).toEqual(remove)
  })
})

describe('in parallel', () => {
  it('all Pods are created and deleted at once', () => {
    expect(planned(setWith(parallel), [pod('web-1', ''), pod('web-3', ''), pod('web-4')])).toEqual({
      create: [0, 2],
      remove: ['web-4', 'web-3'],
    })
  })

  it('except that at most 500 are created at a time', () => {
    const { create } = planned(setWith({ ...parallel, replicas: 2_147_483_647 }), [pod('web-0')])
    expect([create.length, create[0], create.at(-1)]).toEqual([500, 1, 500])
  })

  it('no ordinal exceeds a 32-bit integer', () => {
    const ordinals = { start: 2_147_483_646 }
    expect(planned(setWith({ ...parallel, ordinals }), []).create).toEqual([2_147_483_646, 2_147_483_647])
  })
})

it('a Pod without its identity labels is repaired', () => {
  const bare = { ...pod('web-0'), labels: { [revisionLabel]: 'new' } }
  const set = setWith({ replicas: 1 })
  const { mend } = planStatefulSet({ set, pods: podsByOrdinal(set, [bare]), updateRevision: 'new', nowMs })
  expect(mend).toEqual([{ ordinal: 0, pod: bare }])
})

it.each([
  ['web-0', { set: 'web', ordinal: 0 }],
  ['my-web-12', { set: 'my-web', ordinal: 12 }],
  ['web-2147483647', { set: 'web', ordinal: 2_147_483_647 }],
  ['web-2147483648', undefined],
  ['web-01', undefined],
  ['web-x', undefined],
  ['-1', undefined],
  ['web', undefined],
])('the identity in the name %s', (name, expected) => {
  expect(identityIn(name)).toEqual(expected)
})
