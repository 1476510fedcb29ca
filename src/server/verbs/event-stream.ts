import type { WatchEvent, WatchSink } from '../../registry/contract.ts'
import type { UnreadHolder } from '../fairness/unread-memory.ts'
import type { Output, Stream } from '../http.ts'
import type { EventEncoder } from './event-encoder.ts'
import type { Flushable, FlushQueue, JoinLines } from './flush-queue.ts'
import { LineQueue } from './line-queue.ts'

/** Above this, the receiver counts as behind, whatever the socket reports. */
const maxPendingBytes = 256 * 1024
/** Written at a time. Until it is taken, the connection holds a copy. */
const maxWriteBytes = 64 * 1024

export interface EventStreamParts {
  readonly encoder: EventEncoder
  readonly queue: FlushQueue
  readonly count: (events: number) => void
  /** Reports the memory held for a receiver that is behind. */
  readonly openMemory: (cut: () => void) => UnreadHolder
}

/**
 * The events for one watcher. They wait for the head of the answer and for the end of the event loop's iteration, and
 * are then sent in one write, or in several if they are long, each when the receiver has taken the previous one.
 */
export class EventStream implements WatchSink, Stream, Flushable {
  readonly form = 'stream'
  readonly #parts: EventStreamParts
  readonly #memory: UnreadHolder
  readonly #lines = new LineQueue()
  /** Waiting bytes that no other stream shares. */
  #ownBytes = 0
  /** Bytes written but not taken yet. */
  #writtenBytes = 0
  #output: Output | undefined
  #isQueued = false
  #isBlocked = false
  #isFinished = false
  #isCut = false
  #onUnblocked: (() => void)[] = []
  #onFirst: (() => void) | undefined

  constructor(parts: EventStreamParts) {
    this.#parts = parts
    this.#memory = parts.openMemory(() => this.#cut())
  }

  readonly start = (output: Output): void => {
    this.#output = output
    if (this.#isFinished) this.#end()
    else this.#enqueue()
  }

  /** Resolves with the first event. */
  started(): Promise<void> {
    if (!this.#lines.isEmpty) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onFirst = resolve
    })
  }

  send(events: readonly WatchEvent[]): boolean {
    if (this.#isFinished) return true
    const { encode, isShared } = this.#parts.encoder
    this.#parts.count(events.length)
    for (const event of events) {
      const lines = encode(event)
      for (const line of lines) this.#lines.push(line)
      if (!isShared || isUnshared(event)) for (const { length } of lines) this.#ownBytes += length
      // Before the next event, which may be one that cannot be encoded.
      this.#onFirst?.()
    }
    this.#tellMemory()
    this.#enqueue()
    return !this.#isBehind
  }

  drained(): Promise<void> {
    if (!this.#isBehind) return Promise.resolve()
    return new Promise((resolve) => this.#onUnblocked.push(resolve))
  }

  flush(join: JoinLines): void {
    this.#isQueued = false
    const output = this.#output
    if (output === undefined) return
    while (!this.#isBlocked && !this.#lines.isEmpty) {
      const chunk = join(this.#lines.take(maxWriteBytes))
      if (!output.write(chunk)) this.#block(output, chunk.length)
    }
    if (this.#lines.isEmpty) this.#ownBytes = 0
    this.#tellMemory()
    if (!this.#isBlocked) this.#unblockWaiting()
  }

  /** The last line, if any, is still sent. A receiver that is behind is not waited for. */
  finish(lastLine?: Buffer): void {
    if (this.#isFinished) return
    this.#isFinished = true
    if (lastLine !== undefined) this.#lines.push(lastLine)
    this.#memory.close()
    this.#unblockWaiting()
    if (this.#output !== undefined) this.#end()
  }

  get #isBehind(): boolean {
    return !this.#isFinished && (this.#isBlocked || this.#lines.bytes >= maxPendingBytes)
  }

  #tellMemory(): void {
    this.#memory.set(this.#ownBytes + this.#writtenBytes)
  }

  #enqueue(): void {
    if (this.#isQueued || this.#output === undefined || this.#isBlocked || this.#lines.isEmpty) return
    this.#isQueued = true
    this.#parts.queue.add(this)
  }

  #block(output: Output, writtenBytes: number): void {
    this.#isBlocked = true
    this.#writtenBytes = writtenBytes
    output.drained().then(() => {
      this.#isBlocked = false
      this.#writtenBytes = 0
      if (this.#isFinished) return
      this.#tellMemory()
      this.#enqueue()
      if (this.#lines.isEmpty) this.#unblockWaiting()
    })
  }

  #unblockWaiting(): void {
    if (this.#onUnblocked.length === 0) return
    const waiting = this.#onUnblocked
    this.#onUnblocked = []
    for (const resolve of waiting) resolve()
  }

  /** Drops the reader, which reconnects and resumes where it was. */
  #cut(): void {
    this.#isCut = true
    this.#isFinished = true
    this.#lines.takeAll()
    this.#unblockWaiting()
    this.#output?.destroy()
  }

  #end(): void {
    const output = this.#output
    if (output === undefined) return
    if (this.#isBlocked || this.#isCut) {
      output.destroy()
      return
    }
    if (!this.#lines.isEmpty) output.write(Buffer.concat(this.#lines.takeAll()))
    output.end()
  }
}

function isUnshared(event: WatchEvent): boolean {
  return 'document' in event && event.isUnshared === true
}
