import type { Log } from '../../base/log.ts'
import type { KubeClient } from '../../client/contract.ts'
import type { SyncKind } from '../contract.ts'
import { syncFailureOf } from './failures/failure.ts'
import type { ObjectProgress } from './object-queue.ts'
import { type BothTypes, servedTypes } from './served-types.ts'

/** The sync of one kind in one direction. */
export interface RunningSync {
  readonly progress: ObjectProgress
  /** Why a side cannot be followed now. */
  readonly trouble: string | undefined
  stop(): Promise<void>
}

export interface ServedRunOptions<Running extends RunningSync> {
  readonly kind: SyncKind
  readonly clients: { readonly virtual: KubeClient; readonly host: KubeClient }
  readonly log: Log
  readonly start: (types: BothTypes) => Running
}

const absentRetryMs = 30_000
const failedRetryMs = 1_000

/** Waits until both clusters serve a kind, then starts its sync. */
export class ServedRun<Running extends RunningSync> {
  readonly #options: ServedRunOptions<Running>
  readonly #stopped = new AbortController()
  readonly #started: Promise<void>
  #resolveStarted: () => void = () => {}
  #types: BothTypes | undefined
  #running: Running | undefined
  #absence: string | undefined
  #retry: NodeJS.Timeout | undefined

  constructor(options: ServedRunOptions<Running>) {
    this.#options = options
    this.#started = new Promise((resolve) => {
      this.#resolveStarted = resolve
    })
    void this.#start()
  }

  get running(): Running | undefined {
    return this.#running
  }

  get types(): BothTypes | undefined {
    return this.#types
  }

  /** Why it is not synced although it is enabled. */
  get absence(): string | undefined {
    return this.#absence
  }

  /** A kind that is not served has nothing to settle. */
  get isSettled(): boolean {
    return this.#running?.progress.isSettled ?? this.#absence !== undefined
  }

  async whenSettled(): Promise<void> {
    await this.#started
    await this.#running?.progress.whenSettled()
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    clearTimeout(this.#retry)
    this.#resolveStarted()
    await this.#running?.stop()
  }

  async #start(): Promise<void> {
    const { kind, clients, log, start } = this.#options
    try {
      const types = await servedTypes(kind, clients, this.#stopped.signal)
      if (this.#stopped.signal.aborted) return
      if (!types.ok) return this.#isAbsent(types.message)
      this.#absence = undefined
      this.#types = types
      this.#running = start(types)
      this.#resolveStarted()
    } catch (error) {
      if (this.#stopped.signal.aborted) return
      if (syncFailureOf(error).type !== 'unreachable') log.warn('discovery failed', { error })
      this.#startLater(failedRetryMs)
    }
  }

  /** Logged once; custom resources may be installed later. */
  #isAbsent(message: string): void {
    if (this.#absence === undefined) this.#options.log.warn('a kind is not synced', { reason: message })
    this.#absence = message
    this.#resolveStarted()
    this.#startLater(absentRetryMs)
  }

  #startLater(pauseMs: number): void {
    this.#retry = setTimeout(() => void this.#start(), pauseMs)
  }
}
