import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { CronJob, CronJobSpec, CronJobStatus } from '../../api/types/batch-v1.ts'
import { type JobFacts, jobFactsFrom } from '../job/job-facts.ts'
import { jobName } from './job-of-cron-job.ts'
import { jobReference, planCronJob } from './plan.ts'

const minuteMs = 60_000
const startMs = Date.UTC(2030, 0, 31, 23, 40)
const keptSuccesses = 2
const keptFailures = 1

/** Schedules, and a naive statement of what they mean in UTC. */
const schedules: readonly { readonly text: string; readonly fits: (time: Date) => boolean }[] = [
  { text: '* * * * *', fits: () => true },
  { text: '*/5 * * * *', fits: (time) => time.getUTCMinutes() % 5 === 0 },
  { text: '7,37 * * * *', fits: (time) => [7, 37].includes(time.getUTCMinutes()) },
  { text: '30 0,1 * * *', fits: (time) => time.getUTCHours() <= 1 && time.getUTCMinutes() === 30 },
]

/** What may happen to a CronJob and its Jobs, in any order. */
type Happening =
  /** The controller reconciles, after a pause of that many seconds. */
  | { readonly what: 'reconcile'; readonly afterSeconds: number }
  | { readonly what: 'suspend' | 'resume' }
  /** The controller ends before it writes the status that records the Job it has created. */
  | { readonly what: 'crash' }
  | { readonly what: 'complete' | 'fail' | 'delete'; readonly index: number }

const happenings: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      what: fc.constant('reconcile' as const),
      afterSeconds: fc.oneof(fc.nat(90), fc.nat(600), fc.nat(7_200)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constantFrom('suspend' as const, 'resume' as const) }) },
  { weight: 1, arbitrary: fc.constant({ what: 'crash' } as const) },
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constantFrom('complete' as const, 'complete' as const, 'fail' as const, 'delete' as const),
      index: fc.nat(5),
    }),
  },
)

/** A Job in the naive model: when it was due, and how it ended. */
interface NaiveJob {
  readonly dueMs: number
  end: 'Complete' | 'Failed' | undefined
}

class World {
  readonly #schedule: (typeof schedules)[number]
  readonly #spec: Pick<CronJobSpec, 'concurrencyPolicy' | 'startingDeadlineSeconds'>
  readonly jobs = new Map<string, NaiveJob>()
  readonly #noted = new Set<string>()
  #status: CronJobStatus = {}
  #nowMs = startMs
  #isSuspended = false
  #crashes = false

  constructor(schedule: (typeof schedules)[number], spec: World['spec']) {
    this.#schedule = schedule
    this.#spec = spec
  }

  get spec(): Pick<CronJobSpec, 'concurrencyPolicy' | 'startingDeadlineSeconds'> {
    return this.#spec
  }

  happens(happening: Happening): void {
    switch (happening.what) {
      case 'reconcile':
        this.#nowMs += happening.afterSeconds * 1000
        this.reconcile()
        break
      case 'suspend':
      case 'resume':
        this.#isSuspended = happening.what === 'suspend'
        return
      case 'crash':
        this.#crashes = true
        return
      default: {
        const [name, job] = [...this.jobs][happening.index % Math.max(1, this.jobs.size)] ?? []
        if (name === undefined || job === undefined) return
        if (happening.what === 'delete') this.jobs.delete(name)
        else job.end ??= happening.what === 'complete' ? 'Complete' : 'Failed'
      }
    }
  }

  reconcile(): void {
    const expected = this.#expectedStart()
    const plan = planCronJob(this.#cronJob(), this.#facts(), this.#nowMs)
    expect(plan.start?.scheduledMs, 'the Job that is started').toBe(expected?.dueMs)
    if (expected !== undefined) {
      expect(plan.start?.replaced.map(({ name }) => name).toSorted()).toEqual([...expected.replaced].toSorted())
    }
    for (const name of this.#expectedRemovals(plan.remove.map((job) => job.name))) this.jobs.delete(name)
    this.#status = plan.status
    if (plan.start !== undefined) this.#started(plan.start.scheduledMs, plan.start.replaced)
    if (!this.#isSuspended) expect(plan.nextMs, 'when to reconcile again').toBe(this.#nextMs())
  }

  /** No Job is created twice for the same time. One that was created but not recorded is recognized by its name. */
  #started(dueMs: number, replaced: readonly JobFacts[]): void {
    const name = jobName('c', dueMs)
    for (const job of replaced) this.jobs.delete(job.name)
    const isThere = this.jobs.has(name)
    if (!isThere) {
      expect(this.#noted.has(name), `${name} is new`).toBe(false)
      this.jobs.set(name, { dueMs, end: undefined })
    }
    if (this.#crashes) {
      this.#crashes = false
      return
    }
    this.#noted.add(name)
    const active = (this.#status.active ?? []).filter(({ name: each = '' }) => this.jobs.has(each))
    const made = this.#facts().filter((job) => job.name === name && !isThere)
    const lastScheduleTime = new Date(dueMs).toISOString()
    this.#status = { ...this.#status, active: [...active, ...made.map(jobReference)], lastScheduleTime }
  }

  #running(): readonly string[] {
    return [...this.jobs].filter(([, { end }]) => end === undefined).map(([name]) => name)
  }

  /** The latest Job counts as created, recorded or not. */
  #lastMs(): number {
    const noted = Date.parse(this.#status.lastScheduleTime ?? '') || startMs
    const running = this.#running().map((name) => this.jobs.get(name)?.dueMs ?? 0)
    return Math.max(noted, ...running)
  }

  #expectedStart(): { readonly dueMs: number; readonly replaced: readonly string[] } | undefined {
    const dueMs = this.#latestMs(this.#lastMs())
    const { startingDeadlineSeconds: seconds, concurrencyPolicy } = this.#spec
    if (this.#isSuspended || dueMs === undefined) return undefined
    if (seconds !== undefined && dueMs < this.#nowMs - seconds * 1000) return undefined
    const running = this.#running()
    if (concurrencyPolicy === 'Forbid' && running.length > 0) return undefined
    return { dueMs, replaced: concurrencyPolicy === 'Replace' ? running : [] }
  }

  #latestMs(afterMs: number): number | undefined {
    for (let atMs = Math.floor(this.#nowMs / minuteMs) * minuteMs; atMs > afterMs; atMs -= minuteMs) {
      if (this.#schedule.fits(new Date(atMs))) return atMs
    }
    return undefined
  }

  #nextMs(): number | undefined {
    const dayMs = 24 * 60 * minuteMs
    const firstMs = (Math.floor(this.#nowMs / minuteMs) + 1) * minuteMs
    for (let atMs = firstMs; atMs < firstMs + dayMs; atMs += minuteMs) {
      if (this.#schedule.fits(new Date(atMs))) return atMs
    }
    return undefined
  }

  /** Of the Jobs that ended in one way, the newest stay. */
  #expectedRemovals(removed: readonly string[]): readonly string[] {
    const surplus = (end: NaiveJob['end'], kept: number) =>
      [...this.jobs]
        .filter(([, job]) => job.end === end)
        .toSorted(([, left], [, right]) => right.dueMs - left.dueMs)
        .slice(kept)
        .map(([name]) => name)
    const wanted = [...surplus('Complete', keptSuccesses), ...surplus('Failed', keptFailures)]
    expect([...removed].toSorted(), 'what goes of the history').toEqual(wanted.toSorted())
    return removed
  }

  #facts(): readonly JobFacts[] {
    return [...this.jobs].map(([name, { dueMs, end }]) => {
      const time = new Date(dueMs).toISOString()
      const conditions = end === undefined ? [] : [{ type: end, status: 'True', lastTransitionTime: time }]
      return jobFactsFrom({
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name, namespace: 'a', uid: name, resourceVersion: '7' },
        spec: {},
        status: { startTime: time, conditions, ...(end === 'Complete' && { completionTime: time }) },
      })
    })
  }

  #cronJob(): CronJob {
    return {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'c', namespace: 'a', uid: 'c', creationTimestamp: new Date(startMs).toISOString() },
      spec: {
        schedule: this.#schedule.text,
        suspend: this.#isSuspended,
        successfulJobsHistoryLimit: keptSuccesses,
        failedJobsHistoryLimit: keptFailures,
        jobTemplate: { metadata: {}, spec: { template: { metadata: {}, spec: { containers: [] } } } },
        ...this.#spec,
      },
      status: this.#status,
    }
  }
}

const specs = fc.record({
  concurrencyPolicy: fc.constantFrom('Allow', 'Forbid', 'Replace'),
  startingDeadlineSeconds: fc.constantFrom(undefined, 30, 600),
})

const sequences = Number(process.env.FUZZ_SEQUENCES ?? 40)
const timeout = 30_000 + sequences * 100

it('a CronJob starts, replaces and forgets Jobs like a naive model, and starts none twice', { timeout }, () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...schedules),
      specs,
      fc.array(happenings, { minLength: 20, maxLength: 80 }),
      (schedule, { concurrencyPolicy, startingDeadlineSeconds: seconds }, all) => {
        const deadline = seconds === undefined ? {} : { startingDeadlineSeconds: seconds }
        const world = new World(schedule, { concurrencyPolicy, ...deadline })
        for (const happening of all) world.happens(happening)
      },
    ),
    { numRuns: sequences },
  )
})
