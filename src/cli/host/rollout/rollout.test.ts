import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../../api/object.ts'
import { rolloutOf } from './rollout.ts'
import type { RolloutState } from './rollout-state.ts'

function workload(kind: string, spec: object, status: object, generation = 2): KubeObject {
  return { apiVersion: 'apps/v1', kind, metadata: { name: 'demo', namespace: 'team', generation }, spec, status }
}

function set(spec: object, status: object): KubeObject {
  return workload('StatefulSet', spec, status)
}

function pod(status: object, spec: object = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'demo-0', namespace: 'team' }, spec, status }
}

function event(kind: string, name: string, reason: string, message: string, lastTimestamp = ''): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.1` },
    involvedObject: { kind, name },
    reason,
    message,
    lastTimestamp,
  }
}

function textOf(seen: RolloutState): string {
  const rollout = rolloutOf(seen)
  return rollout.state === 'ready' ? 'ready' : rollout.message
}

const one = { observedGeneration: 2, replicas: 1, readyReplicas: 1, updatedReplicas: 1 }

describe('a rollout', () => {
  it.each<[string, KubeObject | undefined, string]>([
    ['all pods are ready', set({ replicas: 1 }, one), 'ready'],
    ['none are wanted', set({ replicas: 0 }, { observedGeneration: 2 }), 'ready'],
    ['it was not seen yet', undefined, '0 of 1 ready'],
    ['the change is to be seen yet', set({ replicas: 1 }, { ...one, observedGeneration: 1 }), '1 of 1 ready'],
    [
      'old Pods still exist',
      set({ replicas: 1 }, { ...one, updatedReplicas: 0, updateRevision: 'b', currentRevision: 'a' }),
      '1 of 1 ready',
    ],
    ['one of two is ready', set({ replicas: 2 }, one), '1 of 2 ready'],
    ['a Deployment is ready', workload('Deployment', { replicas: 1 }, one), 'ready'],
    [
      'a Deployment waits for new Pods',
      workload('Deployment', { replicas: 1 }, { ...one, updatedReplicas: 0 }),
      '1 of 1 ready',
    ],
    [
      'a Deployment has old Pods left',
      workload('Deployment', { replicas: 1 }, { ...one, replicas: 2 }),
      '1 of 1 ready',
    ],
  ])('where %s', (_name, found, expected) => {
    expect(textOf({ workload: found, pods: [] })).toBe(expected)
  })
})

describe('what a rollout waits for', () => {
  const waiting = set({ replicas: 1 }, { observedGeneration: 2 })
  const container = (state: object, more: object = {}) => ({
    containerStatuses: [{ image: 'demo:1', state: { waiting: state }, ...more }],
  })
  const claim: KubeObject = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data-demo-0' } }
  const mounting = { volumes: [{ persistentVolumeClaim: { claimName: 'data-demo-0' } }] }
  const unscheduled = { conditions: [{ type: 'PodScheduled', status: 'False', message: '0/3 nodes are available' }] }
  const refused = (message: string) => event('StatefulSet', 'demo', 'FailedCreate', message)

  it.each<[string, Omit<RolloutState, 'workload'>, string]>([
    [
      'an image',
      { pods: [pod(container({ reason: 'ImagePullBackOff', message: 'no such image' }))] },
      'demo-0: the image demo:1 cannot be pulled (ImagePullBackOff: no such image); is that its name',
    ],
    [
      'another image than the one that ran',
      {
        pods: [
          pod(container({ reason: 'ErrImagePull' }, { name: 'demo' }), {
            containers: [{ name: 'demo', image: 'demo:2' }],
          }),
        ],
      },
      'demo-0: the image demo:2 cannot be pulled (ErrImagePull); is that its name',
    ],
    ['a node', { pods: [pod(unscheduled)] }, 'demo-0: 0/3 nodes are available'],
    [
      'a volume',
      {
        pods: [pod(unscheduled, mounting)],
        claims: [{ ...claim, status: { phase: 'Pending' } }],
        events: [event('PersistentVolumeClaim', 'data-demo-0', 'FailedBinding', 'no storage class is set')],
      },
      'demo-0: its volume claim data-demo-0 is pending: no storage class is set; does the cluster have a default StorageClass, or does the named one exist? A claim that was created before the class may have to be deleted',
    ],
    [
      'a node, with a volume that it has',
      { pods: [pod(unscheduled, mounting)], claims: [{ ...claim, status: { phase: 'Bound' } }] },
      'demo-0: 0/3 nodes are available',
    ],
    [
      'a Secret',
      {
        pods: [pod(container({ reason: 'ContainerCreating' }))],
        events: [event('Pod', 'demo-0', 'FailedMount', 'secret "key" not found')],
      },
      'demo-0: secret "key" not found',
    ],
    [
      'a program that ends at once',
      {
        pods: [
          pod(
            container(
              { reason: 'CrashLoopBackOff', message: 'back-off 10s' },
              { lastState: { terminated: { exitCode: 1, message: 'error: no etcd\n' } } },
            ),
          ),
        ],
      },
      'demo-0: it ends right after its start, with exit code 1: error: no etcd',
    ],
    [
      'a quota',
      { pods: [], events: [refused('pods "demo-0" is forbidden: exceeded quota: small')] },
      'a ResourceQuota of namespace team leaves no room for it: pods "demo-0" is forbidden: exceeded quota: small',
    ],
    [
      'pod security',
      { pods: [], events: [refused('pods "demo-0" is forbidden: violates PodSecurity "restricted:latest"')] },
      'the Pod Security level of namespace team does not allow its Pods: pods "demo-0" is forbidden: violates',
    ],
    [
      'a webhook, by the latest of its Events',
      {
        pods: [],
        events: [
          event('StatefulSet', 'demo', 'FailedCreate', 'old', '2026-01-01T00:00:00Z'),
          event('StatefulSet', 'demo', 'FailedCreate', 'denied by policy', '2026-01-02T00:00:00Z'),
          event('StatefulSet', 'another', 'FailedCreate', 'not ours', '2026-01-03T00:00:00Z'),
        ],
      },
      'the cluster refuses its Pods: denied by policy',
    ],
    [
      'new Pods, whatever old ones report',
      {
        pods: [
          { ...pod(unscheduled), metadata: { name: 'demo-0', deletionTimestamp: '2026-01-01T00:00:00Z' } },
          { ...pod(unscheduled), metadata: { name: 'demo-1' } },
        ],
      },
      'demo-1: 0/3 nodes are available',
    ],
    [
      'the end of the previous Pod, whatever was refused before it was created',
      {
        pods: [
          {
            ...pod({}),
            metadata: {
              name: 'demo-0',
              creationTimestamp: '2026-01-01T00:00:01Z',
              deletionTimestamp: '2026-01-01T00:00:09Z',
            },
          },
        ],
        events: [event('StatefulSet', 'demo', 'FailedCreate', 'no token yet', '2026-01-01T00:00:00Z')],
      },
      'the previous demo-0 has not ended yet',
    ],
    [
      'its own start, whatever Events tell of the previous Pod of its name',
      {
        pods: [{ ...pod(container({ reason: 'ContainerCreating' })), metadata: { name: 'demo-0', uid: 'new' } }],
        events: ['old', 'new'].map((uid) => ({
          ...event('Pod', 'demo-0', 'Unhealthy', `${uid} is not ready`, uid === 'old' ? '2026-01-02T00:00:00Z' : ''),
          involvedObject: { kind: 'Pod', name: 'demo-0', uid },
        })),
      },
      'demo-0: new is not ready',
    ],
  ])('%s', (_name, seen, expected) => {
    expect(textOf({ workload: waiting, ...seen })).toContain(`0 of 1 ready; ${expected}`)
  })

  it('a ready Pod shows that nothing is refused', () => {
    const ready = pod({ conditions: [{ type: 'Ready', status: 'True' }] })
    const pods = [{ ...ready, metadata: { ...ready.metadata, creationTimestamp: '2026-01-01T00:00:01Z' } }]
    const events = [event('StatefulSet', 'demo', 'FailedCreate', 'no token yet', '2026-01-01T00:00:00Z')]
    expect(textOf({ workload: waiting, pods, events })).toBe('0 of 1 ready')
  })

  it('a Deployment reports that it may not create Pods', () => {
    const conditions = [{ type: 'ReplicaFailure', status: 'True', message: 'exceeded quota: small' }]
    const deployment = workload('Deployment', { replicas: 1 }, { observedGeneration: 2, conditions })
    expect(textOf({ workload: deployment, pods: [] })).toContain('leaves no room for it: exceeded quota: small')
  })

  it('a very long message is truncated to one line', () => {
    const text = textOf({ workload: waiting, pods: [], events: [refused(`a\nb${'x'.repeat(1000)}`)] })
    expect(text).toContain('a bxxx')
    expect(text.length).toBeLessThan(500)
  })
})
