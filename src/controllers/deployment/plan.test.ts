import { describe, expect, it } from 'vitest'
import {
  conditionsOf,
  deployment,
  inWords,
  planned,
  replicaSet,
  template,
  type Wish,
} from '../../../tests/support/examples/deployment.ts'
import type { DeploymentStatus } from '../../api/types/apps-v1.ts'
import { newReplicaSet } from './template.ts'

describe('a rolling update', () => {
  it.each([
    ['begins with all Pods', {}, [], ['new v1 3']],
    ['adds up to maxSurge', { image: 'v2' }, [replicaSet('v1', 3)], ['new v2 1']],
    [
      'adds a percentage of them',
      { image: 'v2', replicas: 10, surge: '25%' },
      [replicaSet('v1', 10, { desired: 10 })],
      ['new v2 3'],
    ],
    [
      'removes up to maxUnavailable at once',
      { image: 'v2', surge: 1, missing: 1 },
      [replicaSet('v1', 3)],
      ['new v2 1', 'v1 3→2'],
    ],
    [
      'removes a percentage of them, rounded down',
      { image: 'v2', replicas: 10, surge: 0, missing: '25%' },
      [replicaSet('v1', 10, { desired: 10 })],
      ['new v2 0', 'v1 10→8'],
    ],
    [
      'moves although neither is allowed',
      { image: 'v2', surge: 0, missing: '1%' },
      [replicaSet('v1', 3)],
      ['new v2 0', 'v1 3→2'],
    ],
    ['waits for new Pods', { image: 'v2' }, [replicaSet('v1', 3), replicaSet('v2', 1, { available: 0 })], []],
    ['removes one for each available one', { image: 'v2' }, [replicaSet('v1', 3), replicaSet('v2', 1)], ['v1 3→2']],
    ['adds the next', { image: 'v2' }, [replicaSet('v1', 2), replicaSet('v2', 1)], ['v2 1→2']],
    [
      'removes unavailable Pods first, whatever maxUnavailable is',
      { image: 'v2' },
      [replicaSet('v1', 3, { available: 1 }), replicaSet('v2', 1, { available: 0 })],
      [],
    ],
    [
      'removes unavailable Pods if there are enough others',
      { image: 'v3' },
      [replicaSet('v1', 3), replicaSet('v2', 1, { available: 0 }), replicaSet('v3', 0)],
      ['v2 1→0'],
    ],
    [
      'does not count terminating Pods',
      { image: 'v2' },
      [replicaSet('v1', 2, { there: 3, available: 3 }), replicaSet('v2', 2)],
      ['v1 2→1'],
    ],
    ['ends', { image: 'v2' }, [replicaSet('v1', 0), replicaSet('v2', 3)], []],
    ['goes back', { image: 'v1' }, [replicaSet('v1', 0), replicaSet('v2', 3)], ['v1 0→1']],
  ])('%s', (_, wish, sets, expected) => {
    expect(inWords(deployment(wish), sets)).toEqual(expected)
  })
})

describe('a Deployment that is recreated', () => {
  const recreated = (wish: Wish = {}) => deployment({ strategy: { type: 'Recreate' }, ...wish })

  it.each([
    ['begins with all Pods', recreated(), [], [], ['new v1 3']],
    ['removes the older ones first', recreated({ image: 'v2' }), [replicaSet('v1', 3)], [], ['v1 3→0']],
    ['waits until they are counted out', recreated({ image: 'v2' }), [replicaSet('v1', 0, { there: 1 })], [], []],
    ['waits until they are gone', recreated({ image: 'v2' }), [replicaSet('v1', 0)], ['v1'], []],
    ['then creates the new ones', recreated({ image: 'v2' }), [replicaSet('v1', 0)], [], ['new v2 3']],
    ['goes back', recreated(), [replicaSet('v1', 0), replicaSet('v2', 0)], [], ['v1 0→3']],
    [
      'removes the older ones first, even if it was scaled during a rolling update',
      recreated({ image: 'v2', replicas: 5 }),
      [replicaSet('v1', 2), replicaSet('v2', 2)],
      [],
      ['v1 2→0'],
    ],
  ])('%s', (_, wanted, sets, running, expected) => {
    expect(inWords(wanted, sets, running)).toEqual(expected)
  })
})

describe('the first status of a Deployment', () => {
  it('names the existing ReplicaSet, even if it has another size', () => {
    const { status } = planned(deployment({ replicas: 1 }), [replicaSet('v1', 2, { available: 0 })])
    expect(conditionsOf(status).map((each) => each.split(':')[0])).toEqual([
      'Progressing=True FoundNewReplicaSet',
      'Available=False MinimumReplicasUnavailable',
    ])
  })
})

describe('a Deployment that is paused', () => {
  it('does not roll out a new template', () => {
    expect(inWords(deployment({ image: 'v2', paused: true }), [replicaSet('v1', 3)])).toEqual([])
  })

  it('is scaled', () => {
    expect(inWords(deployment({ image: 'v2', paused: true, replicas: 5 }), [replicaSet('v1', 3)])).toEqual(['v1 3→5'])
  })

  it('reports that it is paused, and that it is resumed', () => {
    const { status } = planned(deployment({ paused: true }), [replicaSet('v1', 3)])
    expect(conditionsOf(status)).toContain('Progressing=Unknown DeploymentPaused: Deployment is paused')
    const resumed = planned(deployment({ image: 'v2' }, status), [
      replicaSet('v1', 3),
      replicaSet('v2', 1, { there: 0, available: 0 }),
    ])
    expect(conditionsOf(resumed.status)).toContain('Progressing=Unknown DeploymentResumed: Deployment is resumed')
  })
})

describe('the ReplicaSet of a template', () => {
  it('has a stable name, and another one after a collision', () => {
    const name = (status: DeploymentStatus) => newReplicaSet(deployment({}, status)).metadata.name
    expect(name({})).toBe(name({}))
    expect(name({})).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{1,10}$/)
    expect(name({ collisionCount: 1 })).not.toBe(name({}))
  })

  it('is recognized even if it was stored without a newer default', () => {
    const [container] = template('v1').spec.containers
    const { metadata } = template('v1')
    const spec = { containers: [{ ...container, name: 'c', resources: {} }], dnsPolicy: 'ClusterFirst' }
    const set = replicaSet('v1', 3)
    expect(planned(deployment({ template: { metadata, spec } }), [set]).create).toBeUndefined()
  })

  it('gets the minReadySeconds of the Deployment', () => {
    const { change } = planned(deployment({ minReadySeconds: 5 }), [replicaSet('v1', 3)])
    expect(change[0]?.after.spec.minReadySeconds).toBe(5)
  })
})

describe('acting twice', () => {
  it('changes nothing', () => {
    const settled = planned(deployment(), [replicaSet('v1', 3)])
    const again = planned({ ...deployment({}, settled.status) }, [replicaSet('v1', 3)])
    expect(again).toEqual({ ...settled, change: [], remove: [] })
  })
})
