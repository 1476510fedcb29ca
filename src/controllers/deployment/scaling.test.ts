import { describe, expect, it } from 'vitest'
import { deployment, inWords, planned, replicaSet } from '../../../tests/support/examples/deployment.ts'

describe('scaling', () => {
  it.each([
    ['changes the only ReplicaSet that has Pods', { replicas: 5 }, [replicaSet('v1', 3)], ['v1 3→5']],
    ['to none', { replicas: 0 }, [replicaSet('v1', 3)], ['v1 3→0']],
    [
      'up in the middle of a rollout is shared',
      { image: 'v2', replicas: 6, surge: 2 },
      [replicaSet('v1', 2), replicaSet('v2', 2, { available: 0 })],
      ['v1 2→4', 'v2 2→4'],
    ],
    [
      'up gives the rest to the largest, and to the newest of equal ones',
      { image: 'v2', replicas: 4, surge: 1 },
      [replicaSet('v1', 2), replicaSet('v2', 2, { available: 0 })],
      ['v2 2→3'],
    ],
    [
      'down in the middle of a rollout is shared',
      { image: 'v2', replicas: 5, surge: 1 },
      [replicaSet('v1', 8, { desired: 11, most: 12 }), replicaSet('v2', 4, { desired: 11, most: 12, available: 0 })],
      ['v1 8→4', 'v2 4→2'],
    ],
    [
      'changes nothing at the maximum',
      { image: 'v2', replicas: 10, surge: 1 },
      [replicaSet('v1', 6, { desired: 9, most: 10 }), replicaSet('v2', 5, { desired: 9, most: 10, available: 0 })],
      [],
    ],
    [
      'exceeds no 32-bit integer',
      { image: 'v2', replicas: 4, surge: '100000000000%' },
      [replicaSet('v1', 2), replicaSet('v2', 2, { available: 0 })],
      ['v1 2→1073741823', 'v2 2→1073741824'],
    ],
    [
      'accepts a percentage of any length',
      { image: 'v2', replicas: 4, surge: `${'9'.repeat(400)}%` },
      [replicaSet('v1', 2), replicaSet('v2', 2, { available: 0 })],
      ['v1 2→1073741823', 'v2 2→1073741824'],
    ],
    [
      'to zero removes all',
      { image: 'v2', replicas: 0 },
      [replicaSet('v1', 2), replicaSet('v2', 2)],
      ['v1 2→0', 'v2 2→0'],
    ],
  ])('%s', (_, wish, sets, expected) => {
    expect(inWords(deployment(wish), sets)).toEqual(expected)
  })

  it('annotates every ReplicaSet that has Pods', () => {
    const { change } = planned(deployment({ replicas: 5 }), [replicaSet('v1', 3)])
    expect(change[0]?.after.metadata.annotations).toMatchObject({
      'deployment.kubernetes.io/desired-replicas': '5',
      'deployment.kubernetes.io/max-replicas': '6',
    })
  })
})
