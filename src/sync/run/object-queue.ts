import type { Clock } from '../../base/clock.ts'
import type { ObjectName } from '../../patches/contract.ts'
import { type Next, Reconciler } from '../../reconcile/reconciler.ts'
import type { Trouble } from '../contract.ts'
import { parseName, printName } from '../names/names.ts'
import { pauseAfter, syncFailureOf } from './failures/failure.ts'
import { FirstPass } from './first-pass.ts'
import { StateTable } from './states.ts'

/** Fewer than there are connections, so that a kind with slow writes does not hold up the others. */
const workers = 16
/** Before this many attempts, a missing object may still be on its way. */
const patientAttempts = 5
/** The pace at which objects are retried on a host because there may be room. */
const retriedTogether = 10
const retryStepMs = 200

export interface ObjectQueueOptions {
  /** Checks one object and brings it in step. */
  readonly look: (name: ObjectName) => Promise<Next>
  /** Being in step under the previous configuration says nothing about this one. */
  readonly config: () => unknown
  /** Called when the object cannot be brought in step for now. */
  readonly failed: (name: ObjectName, trouble: Trouble, error: unknown) => void
  readonly handled: (seconds: number) => void
  /** Called when an object was checked and nothing is left to do. */
  readonly settled?: (name: ObjectName) => void
  readonly elapsed: Clock
  /** For the time when an object was in step. */
  readonly clock: Clock
}

/** The state of one kind's objects. */
export interface ObjectProgress {
  readonly states: StateTable
  /** Objects that wait to be checked. */
  readonly length: number
  /** Whether everything was checked once since the start. */
  readonly isSettled: boolean
  whenSettled(): Promise<void>
  whenIdle(): Promise<void>
}

/** The objects of one kind: those to check, the state of each, and whether all were checked once. */
export class ObjectQueue implements ObjectProgress {
  readonly states: StateTable
  readonly #options: ObjectQueueOptions
  readonly #loop: Reconciler
  readonly #firstPass = new FirstPass()

  constructor(options: ObjectQueueOptions) {
    this.#options = options
    this.states = new StateTable(options.clock)
    this.#loop = new Reconciler({
      reconcile: (text) => this.#look(text),
      failed: (text, error, attempt) => this.#failed(text, error, attempt),
      basis: options.config,
      handled: options.handled,
      settled: (text) => options.settled?.(parseName(text)),
      elapsed: options.elapsed,
      pauseMs: pauseAfter,
      workers,
    })
  }

  get length(): number {
    return this.#loop.length
  }

  /** Whether an object waits to be checked, now or after a pause, or is being checked. */
  has(name: ObjectName): boolean {
    return this.#loop.has(printName(name))
  }

  /** Aborts when the queue stops. */
  get signal(): AbortSignal {
    return this.#loop.signal
  }

  /** Whether both sides are known. */
  get isBegun(): boolean {
    return this.#firstPass.isBegun
  }

  get isSettled(): boolean {
    return this.#firstPass.isOver
  }

  whenSettled(): Promise<void> {
    return this.#firstPass.whenOver()
  }

  whenIdle(): Promise<void> {
    return this.#loop.whenIdle()
  }

  add(name: ObjectName): void {
    const text = printName(name)
    this.#firstPass.add(text)
    this.#loop.add(text)
  }

  /**
   * Retries objects that fail for such a reason, a few at a time, because most may fail again. No retry is delayed by
   * it.
   */
  addFailing(isMeant: (trouble: Trouble) => boolean): void {
    let count = 0
    for (const [text, { state, trouble }] of this.states.entries()) {
      if (state !== 'failing' || trouble === undefined || !isMeant(trouble)) continue
      this.#loop.addWithin(text, Math.floor(count++ / retriedTogether) * retryStepMs)
    }
  }

  addAfter(name: ObjectName, pauseMs: number): void {
    this.#loop.addAfter(printName(name), pauseMs)
  }

  /** All objects that existed at the start were added. */
  begin(): void {
    this.#firstPass.begin()
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    this.#firstPass.end()
  }

  async #look(text: string): Promise<Next> {
    const config = this.#options.config()
    const next = await this.#options.look(parseName(text))
    if (next === 'done' && config === this.#options.config()) this.#firstPass.done(text)
    return next
  }

  /** A side that is temporarily unreachable does not end the first pass. */
  #failed(text: string, error: unknown, attempt: number): void {
    const failure = syncFailureOf(error)
    switch (failure.type) {
      case 'conflict':
        break
      case 'unreachable':
        this.states.set(text, 'waiting', { reason: 'Unreachable', message: failure.message })
        break
      case 'not yet':
        this.#firstPass.done(text)
        if (attempt < patientAttempts) this.states.set(text, 'waiting', failure.trouble)
        else this.#notInStep(text, failure.trouble, error)
        break
      case 'trouble':
        this.#firstPass.done(text)
        this.#notInStep(text, failure.trouble, error)
    }
  }

  #notInStep(text: string, trouble: Trouble, error: unknown): void {
    this.states.set(text, 'failing', trouble)
    this.#options.failed(parseName(text), trouble, error)
  }
}
