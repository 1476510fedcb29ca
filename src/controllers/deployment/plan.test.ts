import { describe, expect, it } from 'vitest'
import type {
  Deployment,
  DeploymentCondition,
  DeploymentSpec,
  DeploymentStatus,
  ReplicaSet,
} from '../../api/types/apps-v1.ts'
import { timestamp } from '../../base/clock.ts'
import { planDeployment } from './plan.ts'
import { newReplicaSet } from './template.ts'

const nowMs = Date.UTC(2030, 0, 1)

interface Wish extends Partial<DeploymentSpec> {
  readonly image?: string
  readonly surge?: number | string
  readonly missing?: number | string
  readonly annotations?: Readonly<Record<string, string>>
}

function deployment(
  { image = 'v1', surge = 1, missing = 0, annotations, ...spec }: Wish = {},
  status: DeploymentStatus = {},
): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'a', uid: 'web', generation: 1, ...(annotations && { annotations }) },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: 'web' } },
      template: template(image),
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: missing } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      ...spec,
    },
    status,
  }
}

function template(image: string) {
  const container = { name: 'c', image, resources: {}, imagePullPolicy: 'Always' }
  return { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } }
}

interface Size {
  readonly available?: number
  /** Pods that are there; as many as are wanted, if it is not said. */
  readonly there?: number
  readonly desired?: number
  readonly most?: number
  readonly annotations?: Readonly<Record<string, string>>
}

/** The ReplicaSet of an image, `v1` being the oldest. */
function replicaSet(
  image: string,
  size: number,
  { available = size, there = size, desired = 3, most = 4, annotations }: Size = {},
): ReplicaSet {
  const made = newReplicaSet(deployment({ image }))
  const revision = image.slice(1)
  return {
    ...made,
    metadata: {
      ...made.metadata,
      uid: image,
      generation: 1,
      creationTimestamp: timestamp(nowMs - 1_000_000 + Number(revision) * 1_000),
      annotations: {
        'deployment.kubernetes.io/revision': revision,
        'deployment.kubernetes.io/desired-replicas': String(desired),
        'deployment.kubernetes.io/max-replicas': String(most),
        ...annotations,
      },
    },
    spec: { ...made.spec, replicas: size },
    status: { replicas: there, readyReplicas: available, availableReplicas: available, observedGeneration: 1 },
  }
}

function planned(wanted: Deployment, sets: readonly ReplicaSet[], running: readonly string[] = []) {
  return planDeployment({
    deployment: wanted,
    replicaSets: sets,
    hasRunningPods: ({ metadata }) => running.includes(metadata.uid ?? ''),
    nowMs,
  })
}

/** What a plan does to ReplicaSets, such as `v1 3→2`. */
function inWords(wanted: Deployment, sets: readonly ReplicaSet[], running: readonly string[] = []): readonly string[] {
  const { create, change, remove } = planned(wanted, sets, running)
  const resized = change.filter(({ before, after }) => before.spec.replicas !== after.spec.replicas)
  return [
    ...(create === undefined ? [] : [`new ${imageOf(create)} ${create.spec.replicas}`]),
    ...resized.map(({ before, after }) => `${imageOf(before)} ${before.spec.replicas}→${after.spec.replicas}`),
    ...remove.map((each) => `${imageOf(each)} goes`),
  ]
}

function imageOf({ spec }: ReplicaSet): string {
  return spec.template.spec.containers?.[0]?.image ?? ''
}

describe('a rolling update', () => {
  it.each([
    ['begins with all Pods', {}, [], ['new v1 3']],
    ['adds as many as may be too many', { image: 'v2' }, [replicaSet('v1', 3)], ['new v2 1']],
    [
      'adds a share of them',
      { image: 'v2', replicas: 10, surge: '25%' },
      [replicaSet('v1', 10, { desired: 10 })],
      ['new v2 3'],
    ],
    [
      'takes away at once as many as may be missing',
      { image: 'v2', surge: 1, missing: 1 },
      [replicaSet('v1', 3)],
      ['new v2 1', 'v1 3→2'],
    ],
    [
      'takes away a share of them, less rather than more',
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
    ['takes one away for one that works', { image: 'v2' }, [replicaSet('v1', 3), replicaSet('v2', 1)], ['v1 3→2']],
    ['adds the next', { image: 'v2' }, [replicaSet('v1', 2), replicaSet('v2', 1)], ['v2 1→2']],
    [
      'takes away first what does not work, whatever may be missing',
      { image: 'v2' },
      [replicaSet('v1', 3, { available: 1 }), replicaSet('v2', 1, { available: 0 })],
      [],
    ],
    [
      'takes away what does not work if there is enough',
      { image: 'v3' },
      [replicaSet('v1', 3), replicaSet('v2', 1, { available: 0 }), replicaSet('v3', 0)],
      ['v2 1→0'],
    ],
    [
      'does not count on Pods that are given up and still there',
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
    ['takes away the older ones first', recreated({ image: 'v2' }), [replicaSet('v1', 3)], [], ['v1 3→0']],
    ['waits until they are counted out', recreated({ image: 'v2' }), [replicaSet('v1', 0, { there: 1 })], [], []],
    ['waits until they have really gone', recreated({ image: 'v2' }), [replicaSet('v1', 0)], ['v1'], []],
    ['then begins anew', recreated({ image: 'v2' }), [replicaSet('v1', 0)], [], ['new v2 3']],
    ['goes back', recreated(), [replicaSet('v1', 0), replicaSet('v2', 0)], [], ['v1 0→3']],
    [
      'takes away the older ones first also if it was scaled in the middle of a rolling update',
      recreated({ image: 'v2', replicas: 5 }),
      [replicaSet('v1', 2), replicaSet('v2', 2)],
      [],
      ['v1 2→0'],
    ],
  ])('%s', (_, wanted, sets, running, expected) => {
    expect(inWords(wanted, sets, running)).toEqual(expected)
  })
})

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
      'leaves all as they are if there are just as many as there may be',
      { image: 'v2', replicas: 10, surge: 1 },
      [replicaSet('v1', 6, { desired: 9, most: 10 }), replicaSet('v2', 5, { desired: 9, most: 10, available: 0 })],
      [],
    ],
    [
      'gives none more than the API can say',
      { image: 'v2', replicas: 4, surge: '100000000000%' },
      [replicaSet('v1', 2), replicaSet('v2', 2, { available: 0 })],
      ['v1 2→1073741823', 'v2 2→1073741824'],
    ],
    [
      'takes a share of any length',
      { image: 'v2', replicas: 4, surge: `${'9'.repeat(400)}%` },
      [replicaSet('v1', 2), replicaSet('v2', 2, { available: 0 })],
      ['v1 2→1073741823', 'v2 2→1073741824'],
    ],
    [
      'to none takes from all',
      { image: 'v2', replicas: 0 },
      [replicaSet('v1', 2), replicaSet('v2', 2)],
      ['v1 2→0', 'v2 2→0'],
    ],
  ])('%s', (_, wish, sets, expected) => {
    expect(inWords(deployment(wish), sets)).toEqual(expected)
  })

  it('is noted on every ReplicaSet that has Pods', () => {
    const { change } = planned(deployment({ replicas: 5 }), [replicaSet('v1', 3)])
    expect(change[0]?.after.metadata.annotations).toMatchObject({
      'deployment.kubernetes.io/desired-replicas': '5',
      'deployment.kubernetes.io/max-replicas': '6',
    })
  })
})

describe('a Deployment that is paused', () => {
  it('does not take the next template', () => {
    expect(inWords(deployment({ image: 'v2', paused: true }), [replicaSet('v1', 3)])).toEqual([])
  })

  it('is scaled', () => {
    expect(inWords(deployment({ image: 'v2', paused: true, replicas: 5 }), [replicaSet('v1', 3)])).toEqual(['v1 3→5'])
  })

  it('says so, and says when it goes on', () => {
    const { status } = planned(deployment({ paused: true }), [replicaSet('v1', 3)])
    expect(conditionsOf(status)).toContain('Progressing=Unknown DeploymentPaused: Deployment is paused')
    const resumed = planned(deployment({ image: 'v2' }, status), [
      replicaSet('v1', 3),
      replicaSet('v2', 1, { there: 0, available: 0 }),
    ])
    expect(conditionsOf(resumed.status)).toContain('Progressing=Unknown DeploymentResumed: Deployment is resumed')
  })
})

describe('revisions', () => {
  it('count up, and a template that comes back keeps its former number as history', () => {
    const sets = [
      replicaSet('v1', 0, { annotations: { 'deployment.kubernetes.io/revision-history': '0' } }),
      replicaSet('v2', 3),
    ]
    const { change, revision } = planned(deployment({ image: 'v1' }), sets)
    expect(revision).toBe('3')
    expect(change[0]?.after.metadata.annotations).toMatchObject({
      'deployment.kubernetes.io/revision': '3',
      'deployment.kubernetes.io/revision-history': '0,1',
    })
  })

  it.each([
    ['is shortened from the front, however long it is', `1,${'2,'.repeat(131_000)}3`, `${'2,'.repeat(998)}3,1`],
    ['gives up a single entry that is too long', '7'.repeat(262_000), '1'],
  ])('a history %s', (_, history, expected) => {
    const annotations = { 'deployment.kubernetes.io/revision-history': history }
    const { change } = planned(deployment(), [replicaSet('v1', 0, { annotations }), replicaSet('v2', 3)])
    expect(change[0]?.after.metadata.annotations?.['deployment.kubernetes.io/revision-history']).toBe(expected)
  })

  it.each([
    ['9'.repeat(22), '1'],
    ['9'.repeat(400), '1'],
    ['-', '1'],
  ])('%s is none that counts', (revision, expected) => {
    const annotations = { 'deployment.kubernetes.io/revision': revision }
    expect(planned(deployment({ image: 'v2' }), [replicaSet('v1', 3, { annotations })]).revision).toBe(expected)
  })

  it('take over annotations, but not those of the Deployment itself', () => {
    const annotations = {
      'kubernetes.io/change-cause': 'new image',
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
      'deployment.kubernetes.io/revision': '7',
    }
    expect(planned(deployment({ annotations }), []).create?.metadata.annotations).toEqual({
      'kubernetes.io/change-cause': 'new image',
      'deployment.kubernetes.io/revision': '1',
      'deployment.kubernetes.io/desired-replicas': '3',
      'deployment.kubernetes.io/max-replicas': '4',
    })
  })

  it.each([
    ['beyond the limit go, the oldest first', 1, [replicaSet('v1', 0), replicaSet('v2', 0)], ['v1 goes']],
    ['stay while they have Pods', 0, [replicaSet('v1', 0, { there: 1 }), replicaSet('v2', 0)], []],
    ['stay within the limit', 2, [replicaSet('v1', 0), replicaSet('v2', 0)], []],
  ])('%s', (_, revisionHistoryLimit, older, expected) => {
    const wanted = deployment({ image: 'v3', revisionHistoryLimit })
    expect(inWords(wanted, [...older, replicaSet('v3', 3)])).toEqual(expected)
  })
})

describe('the ReplicaSet of a template', () => {
  it('has the same name however often it is made, and another one after a collision', () => {
    const name = (status: DeploymentStatus) => newReplicaSet(deployment({}, status)).metadata.name
    expect(name({})).toBe(name({}))
    expect(name({})).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{1,10}$/)
    expect(name({ collisionCount: 1 })).not.toBe(name({}))
  })

  it('is found also if it was stored before a default was', () => {
    const [container] = template('v1').spec.containers
    const { metadata } = template('v1')
    const spec = { containers: [{ ...container, name: 'c', resources: {} }], dnsPolicy: 'ClusterFirst' }
    const set = replicaSet('v1', 3)
    expect(planned(deployment({ template: { metadata, spec } }), [set]).create).toBeUndefined()
  })

  it('follows minReadySeconds', () => {
    const { change } = planned(deployment({ minReadySeconds: 5 }), [replicaSet('v1', 3)])
    expect(change[0]?.after.spec.minReadySeconds).toBe(5)
  })
})

function conditionsOf({ conditions = [] }: DeploymentStatus): readonly string[] {
  return conditions.map(({ type, status, reason, message }) => `${type}=${status} ${reason}: ${message}`)
}

function progressing(reason: string, agoSeconds: number): DeploymentCondition {
  const time = timestamp(nowMs - agoSeconds * 1000)
  return { type: 'Progressing', status: 'True', reason, message: '', lastUpdateTime: time, lastTransitionTime: time }
}

describe('the status', () => {
  const name = newReplicaSet(deployment()).metadata.name

  it.each([
    ['of a new one', {}, [], [`True NewReplicaSetCreated: Created new replica set "${name}"`]],
    [
      'of one whose ReplicaSet is there',
      {},
      [replicaSet('v1', 3, { there: 0, available: 0 })],
      [`True FoundNewReplicaSet: Found new replica set "${name}"`],
    ],
    [
      'of one that moves',
      { updatedReplicas: 1, replicas: 1 },
      [replicaSet('v1', 3, { available: 0 })],
      [`True ReplicaSetUpdated: ReplicaSet "${name}" is progressing.`],
    ],
    [
      'of one that is complete',
      { updatedReplicas: 3, replicas: 3 },
      [replicaSet('v1', 3)],
      [`True NewReplicaSetAvailable: ReplicaSet "${name}" has successfully progressed.`],
    ],
    [
      'of one that takes too long',
      { updatedReplicas: 3, replicas: 3, conditions: [progressing('ReplicaSetUpdated', 601)] },
      [replicaSet('v1', 3, { available: 0 })],
      [`False ProgressDeadlineExceeded: ReplicaSet "${name}" has timed out progressing.`],
    ],
    [
      'of one that lost Pods after it was complete',
      { updatedReplicas: 3, replicas: 3, conditions: [progressing('NewReplicaSetAvailable', 601)] },
      [replicaSet('v1', 3, { available: 0 })],
      ['True NewReplicaSetAvailable: '],
    ],
  ])('%s', (_, before, sets, expected) => {
    const { status } = planned(deployment({}, before), sets)
    const said = conditionsOf(status).filter((each) => each.startsWith('Progressing'))
    expect(said).toEqual(expected.map((each) => `Progressing=${each}`))
  })

  it('says nothing of progress where there is no deadline', () => {
    const { status } = planned(deployment({ progressDeadlineSeconds: 2_147_483_647 }), [replicaSet('v1', 3)])
    expect(conditionsOf(status).some((each) => each.startsWith('Progressing'))).toBe(false)
  })

  it('counts what the ReplicaSets report', () => {
    const sets = [replicaSet('v1', 2), replicaSet('v2', 2, { available: 1 })]
    const { status } = planned(deployment({ image: 'v2' }), sets)
    expect(status).toMatchObject({
      replicas: 4,
      updatedReplicas: 2,
      readyReplicas: 3,
      availableReplicas: 3,
      unavailableReplicas: 1,
    })
    expect(conditionsOf(status)).toContain(
      'Available=True MinimumReplicasAvailable: Deployment has minimum availability.',
    )
  })

  it('tells what a ReplicaSet is refused', () => {
    const failure = {
      type: 'ReplicaFailure',
      status: 'True',
      lastTransitionTime: timestamp(nowMs),
      reason: 'FailedCreate',
      message: 'no room',
    }
    const set = replicaSet('v1', 3, { there: 0, available: 0 })
    const { status } = planned(deployment(), [{ ...set, status: { ...set.status, conditions: [failure] } }])
    expect(conditionsOf(status)).toContain('ReplicaFailure=True FailedCreate: no room')
  })

  it('is looked at again when a rollout has taken too long, and not once it is complete', () => {
    const waits = { updatedReplicas: 3, replicas: 3, conditions: [progressing('ReplicaSetUpdated', 500)] }
    expect(planned(deployment({}, waits), [replicaSet('v1', 3, { available: 0 })]).lookAgainInMs).toBe(101_000)
    expect(planned(deployment({}, waits), [replicaSet('v1', 3)]).lookAgainInMs).toBeUndefined()
  })

  it('is not looked at again if Pods fail after it was complete', () => {
    const complete = { updatedReplicas: 3, replicas: 3, conditions: [progressing('NewReplicaSetAvailable', 601)] }
    expect(planned(deployment({}, complete), [replicaSet('v1', 3, { available: 2 })]).lookAgainInMs).toBeUndefined()
  })

  it('is all that follows for a Deployment that is being deleted', () => {
    const wanted = deployment({ image: 'v2', replicas: 9 })
    const going = { ...wanted, metadata: { ...wanted.metadata, deletionTimestamp: timestamp(nowMs) } }
    expect(inWords(going, [replicaSet('v1', 3)])).toEqual([])
  })
})

describe('acting twice', () => {
  it('changes nothing', () => {
    const settled = planned(deployment(), [replicaSet('v1', 3)])
    const again = planned({ ...deployment({}, settled.status) }, [replicaSet('v1', 3)])
    expect(again).toEqual({ ...settled, change: [], remove: [] })
  })
})
