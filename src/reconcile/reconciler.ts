import { setMaxListeners } from 'node:events'
import { type Clock, monotonicClock } from '../base/clock.ts'
import type { ControllerMetrics, LookResult, LoopMeasure } from './controller-metrics.ts'
import { WorkQueue, type WorkQueueOptions } from './work-queue.ts'

/** `again`: what was written may need something else, or was decided on grounds that have changed. */
export type Next = 'done' | 'again'

export interface ReconcilerOptions
  extends Pick<WorkQueueOptions, 'workers' | 'firstPauseMs' | 'longestPauseMs' | 'pauseMs' | 'settled'> {
  /** Reads the state of one name, plans, and commits. Looks at the state, not at events, so that acting twice is harmless. */
  readonly reconcile: (name: string, signal: AbortSignal) => Promise<Next> | Promise<void>
  /** It is tried again after a pause that grows with each attempt. */
  readonly failed: (name: string, error: unknown, attempt: number) => void
  /** What plans rest on besides the state, such as a configuration. A plan that was made on another one does not count. */
  readonly basis?: () => unknown
  readonly handled?: (seconds: number) => void
  /** Where it is counted, and under which name. */
  readonly measured?: { readonly metrics: ControllerMetrics; readonly name: string }
  readonly elapsed?: Clock
}

/**
 * The one control loop: names come in, each is reconciled by itself and again until nothing is left to do. Sources and
 * timers that were added to it, and the signal that it hands on, end with it.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions
  readonly #queue: WorkQueue
  readonly #stopping = new AbortController()
  readonly #sources: (() => void)[] = []
  readonly #measure: LoopMeasure | undefined

  constructor(options: ReconcilerOptions) {
    this.#options = options
    // As many writes wait on it as there are workers, and more.
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

  /** Adds names until it is called off. */
  follow(...sources: readonly (() => void)[]): void {
    this.#sources.push(...sources)
  }

  /** Keeps no process alive. */
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

  /** Takes no more names, and resolves when what is being reconciled has come to its end. */
  async drain(): Promise<void> {
    for (const end of this.#sources.splice(0)) end()
    await this.#queue.stop()
    this.#measure?.close()
  }

  /** The same, but cuts short what is being reconciled. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.drain()
  }

  async #handle(name: string): Promise<void> {
    const { handled, elapsed = monotonicClock } = this.#options
    const startedMs = elapsed.now()
    let result: LookResult = 'error'
    try {
      const next = await this.#reconcile(name)
      result = next === 'again' ? 'requeue' : 'success'
      if (next === 'again') this.#queue.add(name)
    } finally {
      const durationMs = elapsed.now() - startedMs
      handled?.(durationMs / 1000)
      this.#measure?.looked(result, durationMs)
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
