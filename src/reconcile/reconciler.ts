import { setMaxListeners } from 'node:events'
import { type Clock, monotonicClock } from '../base/clock.ts'
import type { ControllerMetrics, LoopMeasure, ReconcileResult } from './controller-metrics.ts'
import { WorkQueue, type WorkQueueOptions } from './work-queue.ts'

/** `again`: the write may require another step, or was based on state that has changed. */
export type Next = 'done' | 'again'

export interface ReconcilerOptions
  extends Pick<WorkQueueOptions, 'workers' | 'firstPauseMs' | 'longestPauseMs' | 'pauseMs' | 'settled'> {
  /**
   * Reads the state of one name, plans, and commits. Based on the state, not on events, so that acting twice is
   * harmless.
   */
  readonly reconcile: (name: string, signal: AbortSignal) => Promise<Next> | Promise<void>
  /** The name is retried after a pause that grows with each attempt. */
  readonly failed: (name: string, error: unknown, attempt: number) => void
  /**
   * What plans are based on besides the state, such as a configuration. A plan made with another basis is discarded.
   */
  readonly basis?: () => unknown
  readonly handled?: (seconds: number) => void
  /** Where to count, and under which name. */
  readonly measured?: { readonly metrics: ControllerMetrics; readonly name: string }
  readonly elapsed?: Clock
}

/**
 * The control loop: each added name is reconciled independently, and again until nothing is left to do. Its sources and
 * timers, and the signal that it passes on, end with it.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions
  readonly #queue: WorkQueue
  readonly #stopping = new AbortController()
  readonly #sources: (() => void)[] = []
  readonly #measure: LoopMeasure | undefined

  constructor(options: ReconcilerOptions) {
    this.#options = options
    // At least as many writes listen as there are workers.
    setMaxListeners(0, this.#stopping.signal)
    this.#queue = new WorkQueue({ ...options, handle: (name) => this.#handle(name), onError: options.failed })
    const { measured } = options
    this.#measure = measured?.metrics.open(measured.name, () => this.#queue.waiting)
  }

  get signal(): AbortSignal {
    return this.#stopping.signal
  }

  get busy(): number {
    return this.#queue.busy
  }

  get length(): number {
    return this.#queue.length
  }

  has(name: string): boolean {
    return this.#queue.has(name)
  }

  /** Registers functions that stop sources of names when the loop ends. */
  follow(...sources: readonly (() => void)[]): void {
    this.#sources.push(...sources)
  }

  /** Does not keep the process alive. */
  every(intervalMs: number, act: () => void): void {
    const timer = setInterval(act, intervalMs).unref()
    this.follow(() => clearInterval(timer))
  }

  add(name: string): void {
    this.#queue.add(name)
  }

  addAfter(name: string, pauseMs: number): void {
    this.#queue.addAfter(name, pauseMs)
  }

  addWithin(name: string, pauseMs: number): void {
    this.#queue.addWithin(name, pauseMs)
  }

  whenIdle(): Promise<void> {
    return this.#queue.whenIdle()
  }

  /** Accepts no more names, and resolves when those being reconciled are finished. */
  async drain(): Promise<void> {
    for (const end of this.#sources.splice(0)) end()
    await this.#queue.stop()
    this.#measure?.close()
  }

  /** The same, but cancels those being reconciled. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.drain()
  }

  async #handle(name: string): Promise<void> {
    const { handled, elapsed = monotonicClock } = this.#options
    const startedMs = elapsed.now()
    let result: ReconcileResult = 'error'
    try {
      const next = await this.#reconcile(name)
      result = next === 'again' ? 'requeue' : 'success'
      if (next === 'again') this.#queue.add(name)
    } finally {
      const durationMs = elapsed.now() - startedMs
      handled?.(durationMs / 1000)
      this.#measure?.reconciled(result, durationMs)
    }
  }

  async #reconcile(name: string): Promise<Next> {
    const { reconcile, basis = () => undefined } = this.#options
    const before = basis()
    try {
      const next = await reconcile(name, this.#stopping.signal)
      return next === 'again' || before !== basis() ? 'again' : 'done'
    } catch (error) {
      if (before === basis()) throw error
      return 'again'
    }
  }
}
