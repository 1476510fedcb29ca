import type { Clock } from '../../base/clock.ts'
import type { ObjectName } from '../../patches/contract.ts'
import { type Next, Reconciler } from '../../reconcile/reconciler.ts'
import type { Trouble } from '../contract.ts'
import { parseName, printName } from '../names/names.ts'
import { pauseAfter, syncFailureOf } from './failure.ts'
import { FirstPass } from './first-pass.ts'
import { StateTable } from './states.ts'

/** Fewer than there are connections, so that a kind whose writes are slow does not hold up the others. */
const workers = 16
/** Until then what is missing may still be on its way. */
const patientAttempts = 5
/** What is tried again because others may have made room comes to a host at this pace. */
const retriedTogether = 10
const retryStepMs = 200

export interface ObjectQueueOptions {
  /** Looks at one object and brings it in step. */
  readonly look: (name: ObjectName) => Promise<Next>
  /** What was in step under the configuration of before says nothing about this one. */
  readonly config: () => unknown
  /** The object cannot be brought in step for the time being. */
  readonly failed: (name: ObjectName, trouble: Trouble, error: unknown) => void
  readonly handled: (seconds: number) => void
  /** An object has been looked at, and nothing is left to do. */
  readonly settled?: (name: ObjectName) => void
  readonly elapsed: Clock
  /** For when an object was in step. */
  readonly clock: Clock
}

/** How the objects of one kind are doing. */
export interface ObjectProgress {
  readonly states: StateTable
  /** Objects that wait to be looked at. */
  readonly length: number
  /** Everything has been looked at once since the start. */
  readonly isSettled: boolean
  whenSettled(): Promise<void>
  whenIdle(): Promise<void>
}

/** The objects of one kind: those that have to be looked at, how each is doing, and whether all were looked at once. */
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

  /** Whether an object waits to be looked at, now or after a pause, or is being looked at. */
  has(name: ObjectName): boolean {
    return this.#loop.has(printName(name))
  }

  /** Ends with the queue. */
  get signal(): AbortSignal {
    return this.#loop.signal
  }

  /** Both sides are known. */
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

  /** Those that are not in step for such a reason, a few at a time: most of them may fail again. None is put off by it. */
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

  /** All that was there has been added. */
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

  /** A side that is away for the moment does not end the first pass. */
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
