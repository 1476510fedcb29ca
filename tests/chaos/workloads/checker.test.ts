import { describe, expect, it } from 'vitest'
import { boundsOf } from './checker/bounds.ts'
import { check } from './checker/check.ts'
import { unfinished } from './checker/end-state.ts'
import { type Seen, type SeenSpec, takenMark, trackingFinalizer } from './checker/history.ts'
import { ready, Story, template, told, unready } from './checker/story.ts'

const rolling = (maxSurge: number | string, maxUnavailable: number | string): SeenSpec => ({
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
})

/** A Deployment with three Pods that are ready. */
function threeOf(spec: SeenSpec): Story {
  const story = new Story()
    .put('Deployment', 'web', { generation: 1, spec: { replicas: 3, ...template('v1'), ...spec } })
    .put('ReplicaSet', 'web-1', owned('web', { generation: 1, spec: { replicas: 3 } }))
  for (const name of ['a', 'b', 'c']) story.readyPod('web-1', name)
  return story.settled('ReplicaSet', 'web-1', 1, 3).settled('Deployment', 'web', 1, 3)
}

function owned<T extends object>(uid: string, more: T) {
  return { ownerReferences: [{ uid, controller: true }], ...more }
}

describe('of a Deployment', () => {
  it('a rollout within its limits is valid, also with Pods that others deleted', () => {
    const story = threeOf(rolling(1, 1))
      .put('Deployment', 'web', { generation: 2, spec: template('v2') })
      .put('ReplicaSet', 'web-2', owned('web', { generation: 1, spec: { replicas: 1 } }))
      .readyPod('web-2', 'd', 'v2')
      .put('Pod', 'a', told)
      .put('Pod', 'b', told)
      .put('Pod', 'c', { annotations: { [takenMark]: 'true' } })
      .put('Pod', 'c', told)
      .gone('a')
    expect(check(story.sights)).toEqual([])
  })

  it('more Pods than maxSurge allows are reported', () => {
    const story = threeOf(rolling(1, 0)).readyPod('web-1', 'd').readyPod('web-1', 'e')
    expect(check(story.sights)).toEqual([expect.stringMatching(/Pod e: 5 Pods, and 4 are allowed$/)])
  })

  it('the limits of an earlier generation apply until the next one is observed', () => {
    const story = threeOf(rolling(0, 1))
      .put('Deployment', 'web', { generation: 2, spec: { replicas: 4 } })
      .put('Deployment', 'web', { generation: 3, spec: { replicas: 3 } })
      .readyPod('web-1', 'd')
    expect(check(story.sights)).toEqual([])
    story.settled('Deployment', 'web', 3, 3).readyPod('web-1', 'e')
    expect(check(story.sights)).toEqual([expect.stringContaining('5 Pods, and 3 are allowed')])
  })

  it('fewer ready Pods than maxUnavailable allows are reported', () => {
    const story = threeOf(rolling(1, 1)).put('Pod', 'a', told).put('Pod', 'b', told)
    expect(check(story.sights)).toEqual([expect.stringMatching(/Pod b: removed, so that 1 are ready, .* 2$/)])
  })

  it('a Pod that disappears at once counts as deleted', () => {
    expect(check(threeOf(rolling(1, 0)).gone('a').sights)).toHaveLength(1)
  })

  it('a Pod that fails on its own does not count against controllers before they know', () => {
    const story = threeOf(rolling(1, 1)).put('Pod', 'a', { status: unready }).put('Pod', 'b', told)
    expect(check(story.sights)).toEqual([])
    story.settled('Deployment', 'web', 1, 1).put('Pod', 'c', told)
    expect(check(story.sights)).toEqual([expect.stringContaining('removed, so that 0 are ready')])
  })

  it('with Recreate, Pods of two templates at once are reported, even while they terminate', () => {
    const story = threeOf({ strategy: { type: 'Recreate' } }).put('Deployment', 'web', {
      generation: 2,
      spec: template('v2'),
    })
    for (const name of ['a', 'b', 'c']) story.put('Pod', name, told)
    story.put('ReplicaSet', 'web-2', owned('web', { generation: 1, spec: { replicas: 3 } }))
    for (const name of ['a', 'b']) story.gone(name)
    const early = check(story.readyPod('web-2', 'd', 'v2').sights)
    expect(early).toEqual([expect.stringContaining('came before all of another template had gone')])
  })

  it.each([
    [rolling('25%', '25%'), 10, 13, 8],
    [rolling('0%', '0%'), 10, 10, 9],
    [rolling(2, 0), 3, 5, 3],
    [{}, 4, 5, 3],
    [{ strategy: { type: 'Recreate' } }, 4, 4, 0],
  ] as const)('%j of %i: %i at most, %i ready at least', (spec, replicas, most, least) => {
    const metadata = { name: 'web', uid: 'web', resourceVersion: '1' }
    const seen: Seen = { kind: 'Deployment', metadata, spec: { ...spec, replicas } }
    expect(boundsOf(seen)).toMatchObject({ most, least })
  })
})

describe('of a StatefulSet', () => {
  const set = (policy = 'OrderedReady') =>
    new Story().put('StatefulSet', 'db', {
      generation: 1,
      spec: { replicas: 2, podManagementPolicy: policy, ...template('v1') },
    })

  it('Pods that are created one after the other are valid, also a replacement', () => {
    const story = set().readyPod('db', 'db-0').readyPod('db', 'db-1').settled('StatefulSet', 'db', 1, 2)
    story.put('Pod', 'db-1', told).gone('db-1').readyPod('db', 'db-1')
    expect(check(story.sights)).toEqual([])
  })

  it('two Pods with one identity are reported', () => {
    const story = set().readyPod('db', 'db-0')
    story.put('Pod', 'db-0', owned('db', { uid: 'another' }))
    expect(check(story.sights)).toContainEqual(expect.stringContaining('db-0: another Pod has this identity'))
  })

  it('a Pod before its predecessor is ready is reported, unless they start in parallel', () => {
    const early = (policy: string) => check(set(policy).put('Pod', 'db-1', owned('db', {})).sights)
    expect(early('OrderedReady')).toEqual([expect.stringContaining('db-1: came before db-0 was ready')])
    expect(early('Parallel')).toEqual([])
  })

  it('an ordinal outside the range is reported', () => {
    const story = set('Parallel').settled('StatefulSet', 'db', 1, 0).put('Pod', 'db-2', owned('db', {}))
    expect(check(story.sights)).toEqual([expect.stringContaining('db-2: 2 are asked for')])
  })

  it('two concurrent replacements are reported', () => {
    const story = set().readyPod('db', 'db-0').readyPod('db', 'db-1').settled('StatefulSet', 'db', 1, 2)
    story
      .put('StatefulSet', 'db', { generation: 2, spec: template('v2') })
      .put('Pod', 'db-1', told)
      .put('Pod', 'db-0', told)
    expect(check(story.sights)).toEqual([expect.stringContaining('db-0: removed, so that 0 are ready')])
  })
})

describe('of a Job', () => {
  const job = (spec: SeenSpec = {}) =>
    new Story().put('Job', 'sum', { generation: 1, spec: { completions: 2, parallelism: 1, ...spec } })
  const succeeded = (story: Story, name: string) =>
    story
      .put('Pod', name, owned('sum', { finalizers: [trackingFinalizer] }))
      .put('Pod', name, { status: { phase: 'Succeeded' } })

  it('counts that match the Pods are valid', () => {
    const story = succeeded(succeeded(job(), 'a'), 'b').put('Job', 'sum', {
      status: { succeeded: 1, uncountedTerminatedPods: { succeeded: ['b'] } },
    })
    expect(check(story.sights)).toEqual([])
  })

  it('a Pod that is counted twice is reported', () => {
    const twice = { succeeded: 1, uncountedTerminatedPods: { succeeded: ['a'] } }
    expect(check(succeeded(job(), 'a').put('Job', 'sum', { status: twice }).sights)).toEqual([
      expect.stringMatching(/counts 2 of 1 that succeeded$/),
    ])
    expect(check(job().put('Job', 'sum', { status: { failed: 1 } }).sights)).toEqual([
      expect.stringMatching(/counts 1 of 0 that failed$/),
    ])
  })

  it('a decreasing count is reported', () => {
    const story = succeeded(job(), 'a').put('Job', 'sum', { status: { succeeded: 1 } })
    expect(check(story.put('Job', 'sum', { status: { succeeded: 0 } }).sights)).toEqual([
      expect.stringMatching(/1 had succeeded, now 0$/),
    ])
  })

  it('an uncounted Pod is reported at the end', () => {
    const complete = { succeeded: 1, conditions: [{ type: 'Complete', status: 'True' }] }
    expect(check(succeeded(succeeded(job(), 'a'), 'b').put('Job', 'sum', { status: complete }).sights)).toEqual([
      expect.stringMatching(/is complete with 1, and 2 have succeeded$/),
    ])
  })

  it('more active Pods than allowed are reported', () => {
    const story = job().put('Pod', 'a', owned('sum', {})).put('Pod', 'b', owned('sum', {}))
    expect(check(story.sights)).toEqual([expect.stringMatching(/2 Pods run, and 1 are allowed$/)])
  })
})

describe('at the end', () => {
  it('everything requested exists', () => {
    const story = threeOf({})
      .put('StatefulSet', 'db', { generation: 1, spec: { replicas: 1, ...template('v1') } })
      .readyPod('db', 'db-0')
      .settled('StatefulSet', 'db', 1, 1)
      .put('Job', 'sum', { spec: { completions: 1 } })
      .put('Job', 'sum', { status: { succeeded: 1, conditions: [{ type: 'Complete', status: 'True' }] } })
    expect(unfinished(story.sights)).toEqual([])
  })

  it.each<[string, (story: Story) => Story, string]>([
    ['a Pod that is missing', (story) => story.gone('a'), 'Deployment web: 3 asked for; 2 Pods'],
    ['a Pod too many', (story) => story.readyPod('web-1', 'd'), 'Deployment web: 3 asked for; 4 Pods'],
    ['a Pod that is not ready', (story) => story.put('Pod', 'a', { status: unready }), '3 Pods, 2 ready'],
    ['an old template', (story) => story.put('Deployment', 'web', { spec: template('v2') }), '0 ready and up to date'],
    ['a generation that was not seen', (story) => story.put('Deployment', 'web', { generation: 2 }), 'Deployment web'],
    ['a deleted owner', (story) => story.put('Pod', 'x', owned('gone', { status: ready })), 'Pod x: its owner is gone'],
    [
      'a Job that has not ended',
      (story) => story.put('Job', 'sum', { spec: { completions: 1 } }),
      'Job sum: 1 asked for',
    ],
  ])('%s is reported', (_, change, told) => {
    expect(unfinished(change(threeOf({})).sights)).toEqual([expect.stringContaining(told)])
  })

  it('a Pod with an unexpected name is reported', () => {
    const story = new Story()
      .put('StatefulSet', 'db', { generation: 1, spec: { replicas: 1, ...template('v1') } })
      .readyPod('db', 'db-1')
      .settled('StatefulSet', 'db', 1, 1)
    expect(unfinished(story.sights)).toEqual(['StatefulSet db: its Pods are db-1'])
  })
})
