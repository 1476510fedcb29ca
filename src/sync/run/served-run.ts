import { deepEqual } from '../../base/equal.ts'
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
  readonly times?: ServedRunTimes
}

export interface ServedRunTimes {
  /** How often it is checked whether an absent kind is served now, and how one that cannot be followed is served. */
  readonly checkMs: number
  readonly failedRetryMs: number
}

const usualTimes: ServedRunTimes = { checkMs: 30_000, failedRetryMs: 1_000 }

/** Waits until both clusters serve a kind, then starts its sync, and again when they serve it otherwise. */
export class ServedRun<Running extends RunningSync> {
  readonly #options: ServedRunOptions<Running>
  readonly #stopped = new AbortController()
  readonly #started: Promise<void>
  readonly #times: ServedRunTimes
  #resolveStarted: () => void = () => {}
  #types: BothTypes | undefined
  #running: Running | undefined
  #absence: string | undefined
  #retry: NodeJS.Timeout | undefined

  constructor(options: ServedRunOptions<Running>) {
    this.#options = options
    this.#times = options.times ?? usualTimes
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
      this.#run({ virtual: types.virtual, host: types.host }, start)
      this.#resolveStarted()
    } catch (error) {
      if (this.#stopped.signal.aborted) return
      if (syncFailureOf(error).type !== 'unreachable') log.warn('discovery failed', { error })
      this.#retry = setTimeout(() => void this.#start(), this.#times.failedRetryMs)
    }
  }

  #run(types: BothTypes, start: (types: BothTypes) => Running): void {
    this.#types = types
    this.#running = start(types)
    this.#checkLater()
  }

  #checkLater(): void {
    this.#retry = setTimeout(() => void this.#check(), this.#times.checkMs)
  }

  /** A definition can lose the version that is followed. Without a common one, everything stays as it is. */
  async #check(): Promise<void> {
    const { kind, log, start } = this.#options
    const { signal } = this.#stopped
    const running = this.#running
    try {
      const types = running?.trouble === undefined ? undefined : await this.#servedNow()
      if (signal.aborted) return
      if (types === undefined || deepEqual(types, this.#types)) return this.#checkLater()
      log.info('a kind is served otherwise, and its sync starts again', { kind: kind.id, ...types })
      await running?.stop()
      if (!signal.aborted) this.#run(types, start)
    } catch {
      if (!signal.aborted) this.#checkLater()
    }
  }

  /** Kinds are checked at about the same time, and share the answers. */
  async #servedNow(): Promise<BothTypes | undefined> {
    const { kind, clients } = this.#options
    for (const { served } of [clients.virtual, clients.host]) served.forget(this.#times.checkMs / 3)
    const types = await servedTypes(kind, clients, this.#stopped.signal)
    return types.ok ? { virtual: types.virtual, host: types.host } : undefined
  }

  /** Logged once; custom resources may be installed later. */
  #isAbsent(message: string): void {
    if (this.#absence === undefined) this.#options.log.warn('a kind is not synced', { reason: message })
    this.#absence = message
    this.#resolveStarted()
    this.#retry = setTimeout(() => void this.#start(), this.#times.checkMs)
  }
}
