import { Reconciler, type ReconcilerOptions } from './reconciler.ts'

export interface SharedRunOptions extends Pick<ReconcilerOptions, 'failed' | 'measured'> {
  readonly run: () => Promise<void>
  /** Absent: 50 ms. */
  readonly pauseMs?: number
}

const everything = 'all'
const defaultPauseMs = 50

/** For work that checks everything whenever something changes: changes that arrive together share one run. */
export class SharedRun {
  readonly #loop: Reconciler
  readonly #pauseMs: number
  #isDue = false

  constructor({ run, pauseMs = defaultPauseMs, ...reports }: SharedRunOptions) {
    this.#pauseMs = pauseMs
    this.#loop = new Reconciler({
      ...reports,
      reconcile: () => {
        this.#isDue = false
        return run()
      },
      workers: 1,
    })
  }

  get signal(): AbortSignal {
    return this.#loop.signal
  }

  now(): void {
    this.#loop.add(everything)
  }

  readonly soon = (): void => {
    if (this.#isDue) return
    this.#isDue = true
    this.#loop.addAfter(everything, this.#pauseMs)
  }

  /** Calls these when it stops. */
  follow(...stops: readonly (() => void)[]): void {
    this.#loop.follow(...stops)
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }
}
