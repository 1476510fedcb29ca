import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import { pod } from '../../src/api/core/pods/pod.ts'
import { forbidden } from '../../src/api/error.ts'
import type { KubeObject } from '../../src/api/object.ts'
import type { CronJob, Job } from '../../src/api/types/batch-v1.ts'
import type { Event, Pod } from '../../src/api/types/core-v1.ts'
import { workloadKinds } from '../../src/cluster/controllers/controllers.ts'
import { startWorkloads } from '../../src/controllers/workloads.ts'
import type { ResourceContext } from '../../src/registry/context.ts'
import type { Controller } from '../../src/registry/controllers/controller.ts'
import { documentsIn } from '../../src/registry/documents-in.ts'
import { eventually } from '../support/eventually.ts'
import { bodyOf, namespaceNamed, startRegistry, type TestRegistry, writeRequest } from '../support/registry.ts'

const place = 'a'
const tracking = 'batch.kubernetes.io/job-tracking'
let world: TestRegistry
let workloads: Controller
let mayCreatePods = true
/** After this many writes the controllers behave as if they had crashed. */
let writesLeft = Number.POSITIVE_INFINITY
const failures: unknown[] = []

beforeEach(async () => {
  mayCreatePods = true
  writesLeft = Number.POSITIVE_INFINITY
  failures.length = 0
  world = await startRegistry(builtinKinds(), {
    hooks: ({ kind }) => (kind === 'Pod' ? { admitCreate: admitPod } : {}),
  })
  await create('namespaces', namespaceNamed(place))
  start()
})

afterEach(async () => {
  await workloads.stop()
  await world.stop()
  expect(failures).toEqual([])
})

function admitPod(object: KubeObject) {
  if (!mayCreatePods) throw forbidden(pod, object.metadata.name ?? '', 'exceeded quota')
  return { object }
}

function start(): void {
  const mayWrite = () => {
    writesLeft -= 1
    return writesLeft >= 0
  }
  const report = (_: string, __: string, error: unknown) => failures.push(error)
  workloads = startWorkloads(workloadKinds(world.registry), { report, mayWrite, nodes: 'own', acts: 'alone' })
}

describe('a Job', () => {
  it('runs until enough of its Pods have succeeded, and emits Events', async () => {
    await create('jobs', jobOf({ completions: 3, parallelism: 2 }))
    await eventually(() => expect(jobNow().status).toMatchObject({ active: 2, ready: 0, terminating: 0 }))
    expect(pods().map(({ metadata }) => metadata.finalizers)).toEqual([[tracking], [tracking]])
    for (const each of pods()) await end(each, 'Succeeded')
    await eventually(() => expect(jobNow().status).toMatchObject({ active: 1, succeeded: 2 }))
    for (const each of running()) await end(each, 'Succeeded')
    await eventually(() => expect(conditions()).toEqual(['SuccessCriteriaMet', 'Complete']))
    expect(jobNow().status).toMatchObject({ succeeded: 3, uncountedTerminatedPods: {} })
    expect(pods().map(({ metadata }) => metadata.finalizers)).toEqual([undefined, undefined, undefined])
    await eventually(() => {
      expect(messages('SuccessfulCreate')).toHaveLength(3)
      expect(messages('Completed')).toEqual(['Job completed'])
    })
  })

  it('gives each indexed Pod its index', async () => {
    await create('jobs', jobOf({ completionMode: 'Indexed', completions: 5, parallelism: 3 }))
    await eventually(() => expect(indexes()).toEqual(['0', '1', '2']))
    const [first] = pods()
    expect(first?.metadata.name).toMatch(/^j-0-[a-z0-9]{5}$/)
    expect(first?.metadata.annotations).toMatchObject({ 'batch.kubernetes.io/job-completion-index': '0' })
    expect(first?.spec).toMatchObject({
      hostname: 'j-0',
      containers: [
        {
          env: [
            {
              name: 'JOB_COMPLETION_INDEX',
              valueFrom: { fieldRef: { fieldPath: "metadata.labels['batch.kubernetes.io/job-completion-index']" } },
            },
          ],
        },
      ],
    })
    for (const each of pods().filter((one) => indexOf(one) !== '1')) await end(each, 'Succeeded')
    await eventually(() => expect(jobNow().status).toMatchObject({ completedIndexes: '0,2', succeeded: 2, active: 3 }))
    expect(running().map(indexOf).toSorted()).toEqual(['1', '3', '4'])
  })

  it('retries an index up to its limit, and continues with the others', async () => {
    await create('jobs', jobOf({ completionMode: 'Indexed', completions: 2, parallelism: 2, backoffLimitPerIndex: 1 }))
    await eventually(() => expect(indexes()).toEqual(['0', '1']))
    for (const each of pods()) await end(each, indexOf(each) === '0' ? 'Failed' : 'Succeeded')
    await eventually(() => expect(running().map(indexOf)).toEqual(['0']))
    const [again] = running()
    expect(again?.metadata.annotations).toMatchObject({ 'batch.kubernetes.io/job-index-failure-count': '1' })
    for (const each of running()) await end(each, 'Failed')
    await eventually(() => expect(conditions()).toEqual(['FailureTarget', 'Failed']))
    expect(jobNow().status).toMatchObject({ failedIndexes: '0', completedIndexes: '1', failed: 2, succeeded: 1 })
    expect(jobNow().status.conditions).toMatchObject([{ reason: 'FailedIndexes' }, { reason: 'FailedIndexes' }])
  })

  it('backs off before it replaces a failed Pod, even after a restart', async () => {
    await create('jobs', jobOf({}))
    await eventually(() => expect(running()).toHaveLength(1))
    for (const each of running()) await end(each, 'Failed', world.clock.now())
    await eventually(() => expect(jobNow().status).toMatchObject({ failed: 1, uncountedTerminatedPods: {} }))
    await restart()
    await settled()
    expect(running()).toEqual([])
    world.clock.advance(10_000)
    await touch()
    await eventually(() => expect(running()).toHaveLength(1))
  })

  it('ends at its deadline, and deletes its Pods', async () => {
    await create('jobs', jobOf({ activeDeadlineSeconds: 60, parallelism: 2, completions: 2 }))
    await eventually(() => expect(jobNow().status.active).toBe(2))
    world.clock.advance(60_000)
    await touch()
    await eventually(() => expect(conditions()).toEqual(['FailureTarget', 'Failed']))
    expect(jobNow().status).toMatchObject({ failed: 2, terminating: 0 })
    expect(pods()).toEqual([])
    await eventually(() =>
      expect(messages('DeadlineExceeded')).toEqual(['Job was active longer than specified deadline']),
    )
  })

  it('deletes its Pods while it is suspended, without counting them', async () => {
    await create('jobs', jobOf({ completions: 2, parallelism: 2 }))
    await eventually(() => expect(jobNow().status.active).toBe(2))
    await merge('jobs', { spec: { suspend: true } })
    await eventually(() => expect(jobNow().status.conditions).toMatchObject([{ type: 'Suspended', status: 'True' }]))
    expect([pods(), jobNow().status.failed]).toEqual([[], undefined])
    world.clock.advance(5_000)
    await merge('jobs', { spec: { suspend: false } })
    await eventually(() => expect(jobNow().status).toMatchObject({ active: 2, startTime: '2030-01-01T00:00:05Z' }))
    expect(jobNow().status.conditions).toMatchObject([{ type: 'Suspended', status: 'False', reason: 'JobResumed' }])
    await eventually(() =>
      expect([messages('Suspended'), messages('Resumed')]).toEqual([['Job suspended'], ['Job resumed']]),
    )
  })

  it('reports a refused write, and continues when writes succeed again', async () => {
    mayCreatePods = false
    await create('jobs', jobOf({}))
    await eventually(() =>
      expect(messages('FailedCreate')).toContainEqual(
        expect.stringMatching(/^Error creating: pods .* exceeded quota$/),
      ),
    )
    mayCreatePods = true
    await eventually(() => expect(jobNow().status.active).toBe(1))
  })

  it('is ignored if another controller manages it', async () => {
    await create('jobs', jobOf({ managedBy: 'example.com/other' }))
    await settled()
    expect([jobNow().status, pods()]).toEqual([{}, []])
  })

  it('is deleted after its TTL', async () => {
    await create('jobs', jobOf({ ttlSecondsAfterFinished: 30 }))
    await eventually(() => expect(running()).toHaveLength(1))
    for (const each of running()) await end(each, 'Succeeded')
    await eventually(() => expect(conditions()).toContain('Complete'))
    await settled()
    expect(jobNow().metadata.deletionTimestamp).toBeUndefined()
    world.clock.advance(30_000)
    await touch()
    await eventually(() => expect(jobNow().metadata).toMatchObject({ finalizers: ['foregroundDeletion'] }))
  })

  it('adopts and tracks a matching Pod, except for one that has finished', async () => {
    const manual = { manualSelector: true, selector: { matchLabels: { app: 'j' } }, parallelism: 1, completions: 1 }
    for (const name of ['ended', 'runs']) await create('pods', podOf(name))
    await end(podNamed('ended'), 'Succeeded')
    await create('jobs', jobOf({ ...manual, template: labeled }))
    await eventually(() => expect(jobNow().status.active).toBe(1))
    expect(podNamed('runs').metadata).toMatchObject({ finalizers: [tracking], ownerReferences: [{ name: 'j' }] })
    expect(podNamed('ended').metadata.ownerReferences).toBeUndefined()
    await merge('pods', { metadata: { labels: { app: 'other' } } }, 'runs')
    await eventually(() => expect(podNamed('runs').metadata.ownerReferences).toBeUndefined())
    expect(podNamed('runs').metadata.finalizers).toBeUndefined()
  })

  it('releases its Pods when it is deleted', async () => {
    await create('jobs', jobOf({}))
    await eventually(() => expect(running()).toHaveLength(1))
    const options = { propagationPolicy: 'Background', dryRun: false } as const
    await world.resource('jobs').delete({ namespace: place, name: 'j' }, options, writeRequest())
    await eventually(() => expect(pods().map(({ metadata }) => metadata.finalizers)).toEqual([undefined]))
  })
})

describe('a controller that crashes after any write', () => {
  it.each(Array.from({ length: 14 }, (_, writes) => writes))(
    'neither loses nor duplicates a Pod: after %d',
    async (writes) => {
      await create('jobs', jobOf({ completions: 3, parallelism: 3, backoffLimit: 3 }))
      await eventually(() => expect(running()).toHaveLength(3))
      await workloads.stop()
      const [failed, ...others] = running()
      if (failed !== undefined) await end(failed, 'Failed')
      for (const each of others) await end(each, 'Succeeded')
      writesLeft = writes
      start()
      await eventually(() => expect(writesLeft < 0 || running().length === 1).toBe(true))
      await restart()
      await eventually(() => expect(running()).toHaveLength(1))
      for (const each of running()) await end(each, 'Succeeded')
      await eventually(() => expect(conditions()).toEqual(['SuccessCriteriaMet', 'Complete']))
      expect(jobNow().status).toMatchObject({ succeeded: 3, failed: 1, uncountedTerminatedPods: {} })
      expect(pods()).toHaveLength(4)
    },
  )
})

describe('a CronJob', () => {
  it('creates a Job at each scheduled time, and keeps the configured history', async () => {
    await create('cronjobs', cronJobOf({ successfulJobsHistoryLimit: 1 }))
    await nextMinute()
    await eventually(() => expect(jobNames()).toEqual(['c-31557601']))
    await eventually(() =>
      expect(cronJobNow().status).toMatchObject({
        active: [{ kind: 'Job', name: 'c-31557601', namespace: place }],
        lastScheduleTime: '2030-01-01T00:01:00Z',
      }),
    )
    await eventually(() => expect(running()).toHaveLength(1))
    for (const each of running()) await end(each, 'Succeeded')
    await eventually(() =>
      expect(cronJobNow().status).toEqual({
        lastScheduleTime: '2030-01-01T00:01:00Z',
        lastSuccessfulTime: '2030-01-01T00:01:00Z',
      }),
    )
    await nextMinute()
    await eventually(() => expect(running()).toHaveLength(1))
    for (const each of running()) await end(each, 'Succeeded')
    await eventually(() => expect(jobNames()).toEqual(['c-31557602']))
    await eventually(() => {
      expect(messages('SuccessfulCreate')).toEqual(expect.arrayContaining(['Created job c-31557601']))
      expect(messages('SawCompletedJob')).toContain('Saw completed job: c-31557601, condition: Complete')
      expect(messages('SuccessfulDelete')).toEqual(['Deleted job c-31557601'])
    })
  })

  it('creates no Job twice if it crashes before it has recorded it', async () => {
    await create('cronjobs', cronJobOf({ concurrencyPolicy: 'Forbid' }))
    await settled()
    writesLeft = 1
    await nextMinute()
    await eventually(() => expect(jobNames()).toEqual(['c-31557601']))
    await eventually(() => expect(writesLeft).toBeLessThan(0))
    expect(cronJobNow().status).toEqual({})
    world.clock.advance(60_000)
    await restart()
    await eventually(() => expect(cronJobNow().status).toMatchObject({ active: [{ name: 'c-31557601' }] }))
    await eventually(() => expect(messages('JobAlreadyActive')).toHaveLength(1))
    expect(jobNames()).toEqual(['c-31557601'])
  })

  it('replaces a running Job', async () => {
    await create('cronjobs', cronJobOf({ concurrencyPolicy: 'Replace' }))
    await nextMinute()
    await eventually(() => expect(cronJobNow().status).toMatchObject({ active: [{ name: 'c-31557601' }] }))
    await nextMinute()
    await eventually(() => expect(cronJobNow().status).toMatchObject({ active: [{ name: 'c-31557602' }] }))
    expect(jobNames()).toEqual(['c-31557602'])
  })
})

const labeled = {
  metadata: { labels: { app: 'j' } },
  spec: { terminationGracePeriodSeconds: 0, restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] },
}

function podOf(name: string): KubeObject {
  const { metadata, spec } = labeled
  return { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name, namespace: place }, spec }
}

function jobOf(spec: object): KubeObject {
  const { spec: template } = labeled
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'j', namespace: place },
    spec: { template: { spec: template }, ...spec },
  }
}

function cronJobOf(spec: object): KubeObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'c', namespace: place },
    spec: { schedule: '* * * * *', jobTemplate: { spec: { template: { spec: labeled.spec } } }, ...spec },
  }
}

async function restart(): Promise<void> {
  await workloads.stop()
  writesLeft = Number.POSITIVE_INFINITY
  start()
}

/** Waits until all earlier work is done. */
async function settled(): Promise<void> {
  await create('jobs', { ...jobOf({ suspend: true }), metadata: { name: 'last', namespace: place } })
  // Its Event is written later.
  await eventually(() => expect(messages('Suspended')).toHaveLength(1))
}

/** The clock of the test stands still: a change triggers the waiting controllers. */
function touch() {
  return merge('jobs', { metadata: { labels: { looked: `${world.clock.now()}` } } })
}

async function nextMinute(): Promise<void> {
  world.clock.advance(60_000)
  await merge('cronjobs', { metadata: { labels: { looked: `${world.clock.now()}` } } }, 'c')
}

function create(plural: string, object: KubeObject) {
  return world.resource(plural).create({ namespace: object.metadata.namespace ?? '' }, bodyOf(object), writeRequest())
}

function merge(plural: string, change: unknown, name = 'j') {
  const patch = { type: 'merge', body: bodyOf(change) } as const
  return world.resource(plural).patch({ namespace: place, name }, patch, writeRequest())
}

async function end({ metadata }: KubeObject, phase: 'Succeeded' | 'Failed', atMs = 0): Promise<void> {
  const terminated = { exitCode: phase === 'Failed' ? 1 : 0, finishedAt: new Date(atMs).toISOString() }
  const container = { name: 'c', image: 'i', imageID: '', ready: false, restartCount: 0, state: { terminated } }
  const patch = { type: 'merge', body: bodyOf({ status: { phase, containerStatuses: [container] } }) } as const
  const target = { namespace: place, name: metadata.name ?? '' }
  await world.resource('pods').patch(target, patch, writeRequest({ subresource: 'status' }))
}

function jobNow(name = 'j'): Job {
  return contextOf('batch', 'Job').cache.get({ namespace: place, name })?.object as Job
}

function cronJobNow(): CronJob {
  return contextOf('batch', 'CronJob').cache.get({ namespace: place, name: 'c' })?.object as CronJob
}

function conditions(): readonly string[] {
  return (jobNow().status.conditions ?? []).map(({ type }) => type)
}

function jobNames(): readonly string[] {
  return objects('batch', 'Job').flatMap(({ metadata }) => (metadata.name === 'last' ? [] : [metadata.name ?? '']))
}

function podNamed(name: string): Pod {
  return contextOf('', 'Pod').cache.get({ namespace: place, name })?.object as Pod
}

function pods(): readonly Pod[] {
  return objects('', 'Pod').map((object) => object as Pod)
}

/** Pods that have not ended. */
function running(): readonly Pod[] {
  return pods().filter(({ status }) => status.phase === 'Pending')
}

function indexOf({ metadata }: KubeObject): string | undefined {
  return metadata.labels?.['batch.kubernetes.io/job-completion-index']
}

function indexes(): readonly (string | undefined)[] {
  return pods().map(indexOf).toSorted()
}

function messages(reason: string): readonly (string | undefined)[] {
  const all = objects('', 'Event').map((object) => object as Event)
  return all.filter((each) => each.reason === reason).map(({ message }) => message)
}

function objects(group: string, kind: string): readonly KubeObject[] {
  return documentsIn(contextOf(group, kind), place).map(({ object }) => object)
}

function contextOf(group: string, kind: string): ResourceContext {
  const context = world.registry.engine.find(group, kind)
  if (context === undefined) throw new Error(`${kind} is not served`)
  return context
}
