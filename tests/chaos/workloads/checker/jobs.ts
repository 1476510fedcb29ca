import { hasEnded, isLive, isTrue, revisionOf, type Seen, type Sight, trackingFinalizer } from './history.ts'
import type { World } from './world.ts'

interface JobMemory {
  /** Uids of Pods that were seen to succeed, and of those among them that had to be counted. */
  readonly succeeded: Set<string>
  readonly toCount: Set<string>
  /** Uids of Pods that were seen to fail or were deleted. */
  readonly failed: Set<string>
  parallelism: number
  countedSucceeded: number
  countedFailed: number
}

/** A Job counts each of its Pods once, and never has too many at a time. */
export class JobRules {
  readonly #world: World
  readonly #jobs = new Map<string, JobMemory>()

  constructor(world: World) {
    this.#world = world
  }

  judge({ type, object }: Sight, before: Seen | undefined): readonly string[] {
    if (object.kind === 'Job') return type === 'DELETED' ? [] : this.#judgeJob(object, before)
    if (object.kind !== 'Pod') return []
    const job = this.#world.workloadOf(object)
    return job?.kind === 'Job' ? this.#judgePod(job, object, type) : []
  }

  #judgePod(job: Seen, pod: Seen, type: string): readonly string[] {
    const memory = this.#memoryOf(job)
    const { uid, finalizers = [], deletionTimestamp } = pod.metadata
    if (pod.status?.phase === 'Succeeded') {
      if (!memory.succeeded.has(uid) && finalizers.includes(trackingFinalizer)) memory.toCount.add(uid)
      memory.succeeded.add(uid)
    } else if (hasEnded(pod) || deletionTimestamp !== undefined || type === 'DELETED') memory.failed.add(uid)
    if (type !== 'ADDED') return []
    const live = this.#world.podsOf(job.metadata.uid).filter(isLive).length
    if (live <= memory.parallelism) return []
    return [`${revisionOf(pod)}: Job ${job.metadata.name}: ${live} Pods run, and ${memory.parallelism} are allowed`]
  }

  #judgeJob(job: Seen, before: Seen | undefined): readonly string[] {
    const memory = this.#memoryOf(job)
    const parallelism = job.spec?.parallelism ?? 1
    // A status is written for the exact spec for which it was planned.
    const isObserved = before?.metadata.generation === job.metadata.generation
    memory.parallelism = isObserved ? parallelism : Math.max(parallelism, memory.parallelism)
    const { succeeded = 0, failed = 0, uncountedTerminatedPods = {} } = job.status ?? {}
    const text = `${revisionOf(job)}: Job ${job.metadata.name}`
    const allSucceeded = succeeded + (uncountedTerminatedPods.succeeded ?? []).length
    const allFailed = failed + (uncountedTerminatedPods.failed ?? []).length
    const found = [
      ...(allSucceeded > memory.succeeded.size
        ? [`${text}: counts ${allSucceeded} of ${memory.succeeded.size} that succeeded`]
        : []),
      ...(allFailed > memory.failed.size ? [`${text}: counts ${allFailed} of ${memory.failed.size} that failed`] : []),
      ...(succeeded < memory.countedSucceeded
        ? [`${text}: ${memory.countedSucceeded} had succeeded, now ${succeeded}`]
        : []),
      ...(failed < memory.countedFailed ? [`${text}: ${memory.countedFailed} had failed, now ${failed}`] : []),
      ...lostIn(job, memory).map((problem) => `${text}: ${problem}`),
    ]
    memory.countedSucceeded = succeeded
    memory.countedFailed = failed
    return found
  }

  #memoryOf({ metadata }: Seen): JobMemory {
    const known = this.#jobs.get(metadata.uid)
    if (known !== undefined) return known
    const memory: JobMemory = {
      succeeded: new Set(),
      toCount: new Set(),
      failed: new Set(),
      parallelism: 0,
      countedSucceeded: 0,
      countedFailed: 0,
    }
    this.#jobs.set(metadata.uid, memory)
    return memory
  }
}

/** For a Job that is complete. An index that two Pods have completed counts once. */
function lostIn(job: Seen, { toCount }: JobMemory): readonly string[] {
  const succeeded = job.status?.succeeded ?? 0
  if (!isTrue(job, 'Complete') || job.spec?.completionMode === 'Indexed' || succeeded >= toCount.size) return []
  return [`is complete with ${succeeded}, and ${toCount.size} have succeeded`]
}
