import type { ChangeBatch } from '../contract.ts'
import { LiveBuffer, type LiveBufferOptions } from './live-buffer.ts'

/** The live end of the history: passes each new batch to every watcher that has caught up. */
export class ChangeFeed {
  #revision: number
  readonly #buffers = new Set<LiveBuffer>()
  #failure: Error | undefined

  constructor(revision: number) {
    this.#revision = revision
  }

  /** Everything up to this revision has been published. */
  get revision(): number {
    return this.#revision
  }

  get watcherCount(): number {
    return this.#buffers.size
  }

  publish(batch: ChangeBatch): void {
    this.#revision = Math.max(this.#revision, batch.revision)
    for (const buffer of this.#buffers) {
      buffer.push(batch)
      if (buffer.ended) this.#buffers.delete(buffer)
    }
  }

  attach(options: LiveBufferOptions): LiveBuffer {
    const buffer = new LiveBuffer(options)
    if (this.#failure === undefined) this.#buffers.add(buffer)
    else buffer.end(this.#failure)
    return buffer
  }

  detach(buffer: LiveBuffer): void {
    this.#buffers.delete(buffer)
  }

  /** Ends all current and future watchers with this error. */
  fail(error: Error): void {
    this.#failure ??= error
    for (const buffer of this.#buffers) buffer.end(error)
    this.#buffers.clear()
  }
}
