import { ConnectionError } from '../../client/connection/connection-error.ts'
import type { Output } from '../http.ts'

/** Unread bytes above which the writer is asked to wait. */
const mostUnreadBytes = 256 * 1024

/** A body that one side writes while the other reads. */
export class LocalOutput implements Output {
  readonly #onEnd: () => void
  #unread: Buffer[] = []
  #unreadBytes = 0
  /** Absent: still open. */
  #end: 'ended' | 'cut' | 'left' | undefined
  #wake = () => {}
  #release = () => {}
  #drained: Promise<void> | undefined

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
  }

  get isGone(): boolean {
    return this.#end === 'left' || this.#end === 'cut'
  }

  /** Copies the chunk, because the writer may reuse its bytes. */
  write(chunk: Buffer): boolean {
    if (this.#end !== undefined) return true
    this.#unread.push(Buffer.from(chunk))
    this.#unreadBytes += chunk.length
    this.#wake()
    return this.#unreadBytes < mostUnreadBytes
  }

  drained(): Promise<void> {
    if (this.#unreadBytes === 0 || this.isGone) return Promise.resolve()
    this.#drained ??= new Promise((resolve) => {
      this.#release = resolve
    })
    return this.#drained
  }

  end(): void {
    this.#finish('ended')
  }

  destroy(): void {
    this.#finish('cut')
  }

  /** Called when the reader leaves. */
  leave(): void {
    this.#unread = []
    this.#finish('left')
  }

  /** Yields what was written, as it arrives. */
  async *read(signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        signal?.throwIfAborted()
        if (this.#end === 'cut') throw new ConnectionError('the server cut its answer')
        if (this.#end === 'left') throw new ConnectionError('the answer is no longer needed')
        const chunks = this.#unread
        this.#unread = []
        this.#unreadBytes = 0
        this.#letWrite()
        yield* chunks
        if (this.#unread.length > 0) continue
        if (this.#end === 'ended') return
        if (this.#end === undefined) await this.#more()
      }
    } finally {
      this.leave()
    }
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  #letWrite(): void {
    this.#drained = undefined
    this.#release()
  }

  #finish(end: 'ended' | 'cut' | 'left'): void {
    if (this.#end !== undefined) return
    this.#end = end
    this.#wake()
    this.#letWrite()
    this.#onEnd()
  }
}
