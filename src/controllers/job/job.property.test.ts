import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Job, JobSpec } from '../../api/types/batch-v1.ts'
import { deepEqual } from '../../base/equal.ts'
import { isActive, podFactsFrom } from '../pods/pod-facts.ts'
import { holdingCondition } from './conditions.ts'
import { hasIndex, indexCount, parseIndexes } from './index-set.ts'
import type { JobPod } from './job-facts.ts'
import { planJobPods, type WantedPod } from './plan-pods.ts'
import { planJobStatus } from './plan-status.ts'
import { noFailures } from './retry-backoff.ts'
import { verdictOn } from './verdict.ts'

/** What may happen to a Job, in any order. A reconciliation is cut off after `writes` writes. */
type Happening =
  | { readonly what: 'reconcile'; readonly writes: number }
  | { readonly what: 'succeed' | 'fail' | 'failIgnored' | 'delete' | 'reap'; readonly pod: number }
  | { readonly what: 'suspend'; readonly suspend: boolean }
  | { readonly what: 'parallelism'; readonly parallelism: number }

const podEvents = ['succeed', 'fail', 'failIgnored', 'delete', 'reap'] as const

const happenings: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ what: fc.constant('reconcile' as const), writes: fc.nat(8) }) },
  { weight: 8, arbitrary: fc.record({ what: fc.constantFrom(...podEvents), pod: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('suspend' as const), suspend: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('parallelism' as const), parallelism: fc.nat(4) }) },
)

const ignoredExit = 9
const ignoring = {
  rules: [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [ignoredExit] } }],
}

const specs: fc.Arbitrary<Partial<JobSpec>> = fc
  .record({
    completions: fc.integer({ min: 1, max: 6 }),
    parallelism: fc.integer({ min: 1, max: 4 }),
    backoffLimit: fc.nat(5),
    mode: fc.constantFrom('NonIndexed', 'Indexed', 'PerIndex', 'AnyCompletion'),
    replaces: fc.constantFrom('Failed', 'TerminatingOrFailed', 'Policy'),
  })
  .map(({ completions, parallelism, backoffLimit, mode, replaces }) => ({
    parallelism,
    ...(mode !== 'AnyCompletion' && { completions }),
    completionMode: mode === 'Indexed' || mode === 'PerIndex' ? 'Indexed' : 'NonIndexed',
    backoffLimit: mode === 'PerIndex' ? 1_000 : backoffLimit,
    ...(mode === 'PerIndex' && { backoffLimitPerIndex: backoffLimit % 2 }),
    podReplacementPolicy: replaces === 'TerminatingOrFailed' ? replaces : 'Failed',
    ...(replaces === 'Policy' && { podFailurePolicy: ignoring }),
  }))

class Crash extends Error {}

/** A Job and its Pods, without a server. Writes take effect immediately, and the controller may end after any of them. */
class World {
  job: Job
  pods: readonly JobPod[] = []
  readonly givenUp = new Set<string>()
  /** How often each Pod was written into the status to be counted. */
  readonly told = new Map<string, number>()
  #nowMs = Date.UTC(2030, 0, 1)
  #writesLeft = 0
  #made = 0

  constructor(spec: Partial<JobSpec>) {
    this.job = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'j', namespace: 'a', uid: 'j', generation: 1 },
      spec: { ...spec, template: { metadata: {}, spec: { containers: [], restartPolicy: 'Never' } } },
      status: {},
    }
  }

  get isOver(): boolean {
    const conditions = this.job.status.conditions ?? []
    return (holdingCondition(conditions, 'Complete') ?? holdingCondition(conditions, 'Failed')) !== undefined
  }

  happens(happening: Happening): void {
    this.#nowMs += 3_600_000
    switch (happening.what) {
      case 'reconcile':
        this.reconcile(happening.writes)
        break
      case 'suspend':
        this.#wish({ suspend: happening.suspend })
        break
      case 'parallelism':
        this.#wish({ parallelism: happening.parallelism })
        break
      default:
        this.#podEvent(happening.what, this.pods[happening.pod % Math.max(1, this.pods.length)])
    }
  }

  reconcile(writes: number): void {
    this.#writesLeft = writes
    try {
      if (!this.isOver) this.#lookOnce()
    } catch (error) {
      if (!(error instanceof Crash)) throw error
    }
  }

  /** All Pods succeed, deleted ones are gone, and the rest is up to the controller. */
  settle(): void {
    this.happens({ what: 'suspend', suspend: false })
    this.happens({ what: 'parallelism', parallelism: 3 })
    for (let round = 0; round < 60 && !this.isOver; round++) {
      this.happens({ what: 'reconcile', writes: 1_000 })
      for (const pod of this.pods) {
        this.#podEvent('succeed', pod)
        this.#podEvent('reap', pod)
      }
    }
  }

  #lookOnce(): void {
    const plan = planJobPods(this.job, verdictOn(this.job, this.pods, this.#nowMs), noFailures, this.#nowMs)
    for (const wanted of plan.create) this.#write(() => this.#create(wanted))
    for (const pod of plan.remove) this.#write(() => this.#delete(pod))
    for (const pod of plan.giveUp) {
      this.#write(() => this.#untrack(pod, true))
      this.#write(() => this.#delete(pod))
    }
    const { status, letGo } = planJobStatus(this.job, verdictOn(this.job, this.pods, this.#nowMs), this.#nowMs)
    if (!deepEqual(status, this.job.status)) {
      this.#write(() => {
        const { succeeded: before = [], failed: failedBefore = [] } = this.job.status.uncountedTerminatedPods ?? {}
        const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {}
        for (const uid of [...succeeded, ...failed]) {
          if (!before.includes(uid) && !failedBefore.includes(uid)) this.told.set(uid, (this.told.get(uid) ?? 0) + 1)
        }
        this.job = { ...this.job, status }
      })
    }
    for (const pod of letGo.untrack) this.#write(() => this.#untrack(pod, false))
  }

  #write(act: () => void): void {
    if (this.#writesLeft === 0) throw new Crash()
    this.#writesLeft -= 1
    act()
  }

  #create({ index, failures }: WantedPod): void {
    this.#made += 1
    const job = {
      isTracked: true,
      index,
      failuresBefore: failures?.counted ?? 0,
      ignoredBefore: failures?.ignored ?? 0,
      isCutOff: false,
      finishedMs: 0,
      containerRestarts: 0,
      end: undefined,
    }
    this.pods = [...this.pods, { ...runningPod, name: `j-${this.#made}`, uid: `${this.#made}`, job }]
  }

  #podEvent(what: (typeof podEvents)[number], pod: JobPod | undefined): void {
    if (pod === undefined) return
    const isRunning = pod.phase === 'Running'
    if (what === 'delete') this.#delete(pod)
    if (what === 'reap' && pod.isBeingDeleted && !pod.job.isTracked) {
      this.pods = this.pods.filter(({ uid }) => uid !== pod.uid)
    }
    if (what === 'reap' && pod.isBeingDeleted && pod.job.isTracked && isRunning) this.#end(pod, 'Failed', 137)
    if (what === 'succeed' && isRunning) this.#end(pod, 'Succeeded', 0)
    if (what === 'fail' && isRunning) this.#end(pod, 'Failed', 1)
    if (what === 'failIgnored' && isRunning) this.#end(pod, 'Failed', ignoredExit)
  }

  #end(pod: JobPod, phase: 'Succeeded' | 'Failed', exitCode: number): void {
    const end = { exits: [{ container: 'c', exitCode }], conditions: new Set<string>() }
    this.#change(pod, { phase, job: { ...pod.job, end, finishedMs: this.#nowMs } })
  }

  /** Some have time to finish on their own. */
  #delete({ uid }: JobPod): void {
    const now = this.pods.find((each) => each.uid === uid)
    if (now !== undefined)
      this.#change(now, { isBeingDeleted: true, job: { ...now.job, isCutOff: Number(uid) % 3 === 0 } })
  }

  #untrack(pod: JobPod, isGivenUp: boolean): void {
    if (isGivenUp && pod.job.isTracked) this.givenUp.add(pod.uid)
    const now = this.pods.find(({ uid }) => uid === pod.uid)
    if (now !== undefined) this.#change(now, { job: { ...now.job, isTracked: false } })
  }

  #change(pod: JobPod, change: Partial<JobPod>): void {
    this.pods = this.pods.map((each) => (each.uid === pod.uid ? { ...each, ...change } : each))
  }

  #wish(spec: Partial<JobSpec>): void {
    this.job = { ...this.job, spec: { ...this.job.spec, ...spec } }
  }
}

const runningPod = podFactsFrom({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'a' },
  spec: { containers: [] },
  status: { phase: 'Running' },
})

/** Counted, or about to be. */
function countedIn({ status }: Job): number {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {}
  const indexes = status.completedIndexes === undefined ? 0 : indexCount(parseIndexes(status.completedIndexes, 100))
  return (status.succeeded ?? 0) - indexes + (status.failed ?? 0) + succeeded.length + failed.length
}

const sequences = Number(process.env.FUZZ_SEQUENCES ?? 150)

it('each Pod is counted once, wherever the controller crashes, and the Job finishes', {
  timeout: 30_000 + sequences * 100,
}, () => {
  fc.assert(
    fc.property(specs, fc.array(happenings, { minLength: 30, maxLength: 90 }), (spec, all) => {
      const world = new World(spec)
      const ends = new Map<string, Ended>()
      const happens = (act: () => void) => {
        act()
        for (const pod of world.pods) {
          const isNew = pod.phase !== 'Running' && pod.job.isTracked && !ends.has(pod.uid)
          if (isNew) ends.set(pod.uid, { pod, wasTold: world.told.has(pod.uid) })
        }
        const tracked = world.pods.filter(({ job }) => job.isTracked)
        expect(Math.max(0, ...world.told.values())).toBeLessThanOrEqual(1)
        expect(countedIn(world.job)).toBe(world.told.size)
        if (!world.isOver) return
        expect([tracked, world.pods.filter(isActive)]).toEqual([[], []])
        expect(world.job.status.uncountedTerminatedPods).toEqual({})
      }
      for (const happening of all) {
        const before = world.pods.filter((pod) => isActive(pod) && pod.job.isTracked).length
        happens(() => world.happens(happening))
        const after = world.pods.filter((pod) => isActive(pod) && pod.job.isTracked).length
        expect(after).toBeLessThanOrEqual(Math.max(before, world.job.spec.parallelism ?? 1))
      }
      happens(() => world.settle())
      expect(world.isOver).toBe(true)
      for (const ended of ends.values()) expectCounted(world, ended)
    }),
    { numRuns: sequences },
  )
})

interface Ended {
  readonly pod: JobPod
  /** A failing Job also records Pods that still run. */
  readonly wasTold: boolean
}

/** A Pod that finished while the Job tracked it was recorded, unless a rule says otherwise. */
function expectCounted({ job, told, givenUp }: World, { pod, wasTold }: Ended): void {
  const { uid, phase } = pod
  if (givenUp.has(uid)) return
  if (phase === 'Succeeded' && pod.job.index !== undefined) {
    const completed = parseIndexes(job.status.completedIndexes ?? '', job.spec.completions ?? 0)
    expect(told.has(uid) || hasIndex(completed, pod.job.index)).toBe(true)
    return
  }
  const isIgnored = job.spec.podFailurePolicy !== undefined && pod.job.end?.exits[0]?.exitCode === ignoredExit
  expect(told.has(uid)).toBe(wasTold || !isIgnored)
}
