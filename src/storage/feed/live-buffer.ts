import type { ChangeBatch, StoreChange } from '../contract.ts'
import { selectChanges } from './select.ts'

export interface LiveBufferOptions {
  readonly prefix: string
  readonly afterRevision: number
  readonly progress: boolean
  readonly limits: BufferLimits
}

export interface BufferLimits {
  readonly changes: number
  readonly bytes: number
}

/**
 * What one watcher has not read yet. It never blocks the producer: past its limits it drops everything and ends, and
 * the watcher continues from `seenRevision` by reading history.
 */
export class LiveBuffer {
  readonly #options: LiveBufferOptions
  #pending: StoreChange[] = []
  #pendingBytes = 0
  #pushedRevision: number
  #seenRevision: number
  #ended = false
  #failure: Error | undefined
  #wake: (() => void) | undefined

  constructor(options: LiveBufferOptions) {
    this.#options = options
    this.#pushedRevision = options.afterRevision
    this.#seenRevision = options.afterRevision
  }

  /** Everything up to here was read, or does not concern this watcher. */
  get seenRevision(): number {
    return this.#seenRevision
  }

  get ended(): boolean {
    return this.#ended
  }

  push(batch: ChangeBatch): void {
    if (this.#ended || batch.revision <= this.#pushedRevision) return
    const selected = selectChanges(batch, this.#options.prefix, this.#pushedRevision)
    this.#pushedRevision = batch.revision
    if (selected.length === 0) {
      this.#skip(batch.revision)
      return
    }
    for (const change of selected) {
      this.#pending.push(change)
      this.#pendingBytes += change.value.byteLength
    }
    if (this.#isOverfull()) this.end()
    else this.#wakeUp()
  }

  /** Ends the stream: pending changes are dropped, and the reader gets the failure or `undefined`. */
  end(failure?: Error): void {
    this.#ended = true
    this.#failure ??= failure
    this.#pending = []
    this.#wakeUp()
  }

  /** All pending changes as one batch; `undefined` at the end of the stream. */
  async take(): Promise<ChangeBatch | undefined> {
    while (!this.#ended && !this.#hasNews()) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (this.#failure !== undefined) throw this.#failure
    if (this.#ended) return undefined
    const batch = { changes: this.#pending, revision: this.#pushedRevision }
    this.#pending = []
    this.#pendingBytes = 0
    this.#seenRevision = batch.revision
    return batch
  }

  #skip(revision: number): void {
    if (this.#pending.length > 0) return
    if (this.#options.progress) this.#wakeUp()
    else this.#seenRevision = revision
  }

  #hasNews(): boolean {
    return this.#pending.length > 0 || (this.#options.progress && this.#pushedRevision > this.#seenRevision)
  }

  #isOverfull(): boolean {
    const { limits } = this.#options
    return this.#pending.length > limits.changes || this.#pendingBytes > limits.bytes
  }

  #wakeUp(): void {
    const wake = this.#wake
    this.#wake = undefined
    wake?.()
  }
}
