import { setImmediate as nextTurn } from 'node:timers/promises'
import { errorText } from '../../base/error-text.ts'
import { StoreFull, StoreUnavailable, type WriteResult } from '../contract.ts'
import type { ChangeFeed } from '../feed/change-feed.ts'
import { CommitFailed, commitBatch, putState, putWrites } from './commit.ts'
import { planCompaction, removeCompacted } from './compaction.ts'
import { type BatchedWrite, type BatchPlan, decideBatch } from './decide.ts'
import type { Environment, StoreOwnership } from './environment.ts'
import { readPointed } from './read.ts'
import type { StoreState } from './state.ts'

/** Enough to make a sync cheap per write, few enough to keep a batch short. */
const operationsPerBatch = 1_000

export interface WriterOptions {
  readonly environment: Environment
  readonly ownership: StoreOwnership
  readonly feed: ChangeFeed
  /** Throws StoreFull if there is no room for that many bytes. */
  readonly requireRoom: (bytes: number) => void
  /** Called once, when no further commit may be attempted. */
  readonly onBroken: (error: StoreUnavailable) => void
}

interface Waiting<Result> {
  readonly resolve: (result: Result) => void
  readonly reject: (error: Error) => void
}

interface WaitingWrite extends Waiting<WriteResult> {
  readonly operation: BatchedWrite
}

interface WaitingCompaction extends Waiting<void> {
  readonly revision: number
}

/**
 * The only place that writes. One transaction is in flight at a time; operations that arrive meanwhile are decided and
 * committed together in the next one. No write is reported before it is on disk.
 */
export class Writer {
  readonly #options: WriterOptions
  #state: StoreState
  /** Raised before history is removed, so that no reader gets entries that a commit in flight is about to remove. */
  #oldestReadable: number
  #writes: WaitingWrite[] = []
  #compactions: WaitingCompaction[] = []
  #work: Promise<void> | undefined
  #stopped: StoreUnavailable | undefined

  constructor(options: WriterOptions) {
    this.#options = options
    this.#state = options.ownership.state
    this.#oldestReadable = this.#state.compactedRevision
  }

  get compactedRevision(): number {
    return this.#oldestReadable
  }

  write(operation: BatchedWrite): Promise<WriteResult> {
    return new Promise((resolve, reject) => {
      if (this.#stopped !== undefined) return reject(this.#stopped)
      this.#writes.push({ operation, resolve, reject })
      this.#work ??= this.#drain()
    })
  }

  compact(revision: number): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#stopped !== undefined) return reject(this.#stopped)
      this.#compactions.push({ revision, resolve, reject })
      this.#work ??= this.#drain()
    })
  }

  /** Accepts no more work, waits for the commit in flight, and fails the operations still queued. */
  async stop(reason: StoreUnavailable): Promise<void> {
    this.#stopped ??= reason
    await this.#work
  }

  async #drain(): Promise<void> {
    // Waits one turn, so that everything that arrives in it shares the commit. What arrives during a commit has already
    // waited for one.
    await nextTurn()
    while (this.#stopped === undefined && this.#writes.length + this.#compactions.length > 0) {
      const hasCommitted = await this.#commitWrites()
      await this.#compactStep()
      // A caller that is refused and retries immediately would otherwise starve the event loop.
      if (!hasCommitted) await nextTurn()
    }
    this.#work = undefined
    if (this.#stopped !== undefined) this.#failQueued(this.#stopped)
  }

  /** Returns whether anything was written to disk. */
  async #commitWrites(): Promise<boolean> {
    if (this.#writes.length === 0 || this.#stopped !== undefined) return false
    const batch = this.#writes.splice(0, operationsPerBatch)
    try {
      const plan = this.#decide(batch)
      await this.#commitPlan(plan)
      batch.forEach(({ resolve, reject }, index) => {
        const result = plan.results[index]
        if (result === undefined) reject(new Error('a write was left undecided'))
        else resolve(result)
      })
      return plan.writes.length > 0
    } catch (error) {
      const failure = this.#failureOf(error)
      for (const { reject } of batch) reject(failure)
      return false
    }
  }

  #decide(batch: readonly WaitingWrite[]): BatchPlan {
    const { environment } = this.#options
    return decideBatch(
      batch.map(({ operation }) => operation),
      {
        revision: this.#state.revision,
        pointer: (key) => environment.pointers.get(key),
        value: (key, pointer) => readPointed(environment, key, pointer, this.#state.revision),
      },
    )
  }

  async #commitPlan(plan: BatchPlan): Promise<void> {
    if (plan.writes.length === 0) return
    const { environment, ownership, feed, requireRoom } = this.#options
    requireRoom(plan.writes.reduce((sum, { key, entry }) => sum + key.length + entry.length, 0))
    await commitBatch(environment, ownership.epoch, {
      change: () => putWrites(environment, plan.writes),
      isApplied: () => environment.log.get(plan.revision) !== undefined,
    })
    this.#state = { ...this.#state, revision: plan.revision }
    feed.publish({ changes: plan.writes.map(({ change }) => change), revision: plan.revision })
  }

  async #compactStep(): Promise<void> {
    const waiting = this.#compactions[0]
    if (waiting === undefined || this.#stopped !== undefined) return
    try {
      if (waiting.revision > this.#state.compactedRevision) await this.#compactToward(waiting.revision)
      if (waiting.revision > this.#state.compactedRevision) return
      this.#compactions.shift()
      waiting.resolve()
    } catch (error) {
      this.#compactions.shift()
      waiting.reject(this.#failureOf(error))
    }
  }

  async #compactToward(revision: number): Promise<void> {
    const { environment, ownership, requireRoom } = this.#options
    requireRoom(0)
    const step = planCompaction(environment, this.#state.compactedRevision, revision)
    const state = { ...this.#state, compactedRevision: step.compactedRevision }
    this.#oldestReadable = step.compactedRevision
    await commitBatch(environment, ownership.epoch, {
      change() {
        removeCompacted(environment, step)
        putState(environment, ownership.epoch, state)
      },
      // An interrupted compaction is repeated from where it was, so this does not matter.
      isApplied: () => false,
    })
    this.#state = state
  }

  #failureOf(error: unknown): StoreUnavailable {
    if (error instanceof StoreFull) return error
    const failure = error instanceof CommitFailed ? error.error : cannotGoOn(error)
    this.#stopped ??= failure
    this.#options.onBroken(failure)
    return failure
  }

  #failQueued(reason: StoreUnavailable): void {
    for (const { reject } of [...this.#writes.splice(0), ...this.#compactions.splice(0)]) reject(reason)
  }
}

/** Logs and answers show the message alone. */
export function cannotGoOn(cause: unknown): StoreUnavailable {
  return new StoreUnavailable(`the store has failed (${errorText(cause)})`, { cause })
}
