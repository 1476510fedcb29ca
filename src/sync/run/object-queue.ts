import type { Clock } from '../../base/clock.ts'
import { WorkQueue } from '../../base/work-queue.ts'
import type { ObjectName } from '../../patches/contract.ts'
import type { Trouble } from '../contract.ts'
import { parseName, printName } from '../names/names.ts'
import { failureOf, pauseAfter } from './failure.ts'
import { FirstPass } from './first-pass.ts'
import { StateTable } from './states.ts'

/** Fewer than there are connections, so that a kind whose writes are slow does not hold up the others. */
const workers = 16
/** Until then what is missing may still be on its way. */
const patientAttempts = 5

/** An object is looked at again if what was written may need something else, or was decided on grounds that have changed. */
export type Next = 'done' | 'again'

export interface ObjectQueueOptions {
  /** Looks at one object and brings it in step. */
  readonly look: (name: ObjectName) => Promise<Next>
  /** The object cannot be brought in step for the time being. */
  readonly failed: (name: ObjectName, trouble: Trouble, error: unknown) => void
  readonly handled: (seconds: number) => void
  readonly elapsed: Clock
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
  readonly states = new StateTable()
  readonly #options: ObjectQueueOptions
  readonly #queue: WorkQueue
  readonly #firstPass = new FirstPass()

  constructor(options: ObjectQueueOptions) {
    this.#options = options
    this.#queue = new WorkQueue({
      handle: (text) => this.#handle(text),
      onError: (text, error, attempt) => this.#failed(text, error, attempt),
      pauseMs: pauseAfter,
      workers,
    })
  }

  get length(): number {
    return this.#queue.length
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
    return this.#queue.whenIdle()
  }

  add(name: ObjectName): void {
    const text = printName(name)
    this.#firstPass.add(text)
    this.#queue.add(text)
  }

  addAfter(name: ObjectName, pauseMs: number): void {
    this.#queue.addAfter(printName(name), pauseMs)
  }

  /** All that was there has been added. */
  begin(): void {
    this.#firstPass.begin()
  }

  async stop(): Promise<void> {
    await this.#queue.stop()
    this.#firstPass.end()
  }

  async #handle(text: string): Promise<void> {
    const { look, handled, elapsed } = this.#options
    const startedMs = elapsed.now()
    try {
      if ((await look(parseName(text))) === 'again') this.#queue.add(text)
      else this.#firstPass.done(text)
    } finally {
      handled((elapsed.now() - startedMs) / 1000)
    }
  }

  /** A side that is away for the moment does not end the first pass. */
  #failed(text: string, error: unknown, attempt: number): void {
    const failure = failureOf(error)
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
