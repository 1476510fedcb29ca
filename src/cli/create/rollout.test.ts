import { expect, it } from 'vitest'
import type { KubeObject } from '../../api/object.ts'
import { rolloutOf } from './rollout.ts'

function set(spec: object, status: object, generation = 2): KubeObject {
  return { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'demo', generation }, spec, status }
}

function pod(status: object): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'demo-0' }, status }
}

const one = { observedGeneration: 2, readyReplicas: 1, updatedReplicas: 1 }
const pulling = pod({
  containerStatuses: [{ state: { waiting: { reason: 'ImagePullBackOff', message: 'no such image' } } }],
})
const unscheduled = pod({ conditions: [{ type: 'PodScheduled', status: 'False', message: '0/3 nodes are available' }] })

it.each<[string, KubeObject | undefined, readonly KubeObject[], string]>([
  ['all pods are ready', set({ replicas: 1 }, one), [], 'ready'],
  ['none are wanted', set({ replicas: 0 }, { observedGeneration: 2 }), [], 'ready'],
  ['it was not seen yet', undefined, [], '0 of 1 ready'],
  [
    'the controller has yet to see the change',
    set({ replicas: 1 }, { ...one, observedGeneration: 1 }),
    [],
    '1 of 1 ready',
  ],
  [
    'old pods are still there',
    set({ replicas: 1 }, { ...one, updatedReplicas: 0, updateRevision: 'b', currentRevision: 'a' }),
    [],
    '1 of 1 ready',
  ],
  ['one of two is ready', set({ replicas: 2 }, one), [], '1 of 2 ready'],
  [
    'an image is missing',
    set({ replicas: 1 }, { observedGeneration: 2 }),
    [pulling],
    '0 of 1 ready; demo-0: ImagePullBackOff: no such image',
  ],
  [
    'there is no node',
    set({ replicas: 1 }, { observedGeneration: 2 }),
    [unscheduled],
    '0 of 1 ready; demo-0: 0/3 nodes are available',
  ],
])('a rollout where %s', (_name, found, pods, expected) => {
  const rollout = rolloutOf(found, pods)
  expect(rollout.state === 'ready' ? 'ready' : rollout.message).toBe(expected)
})
