import type { WatchEvent, WatchSink } from '../../registry/contract.ts'
import type { Output, Stream } from '../http.ts'
import type { EncodeEvent } from './event-encoder.ts'
import type { Flushable, FlushQueue, JoinLines } from './flush-queue.ts'

/** Beyond this the receiver counts as behind, whatever the socket says. */
const maxPendingBytes = 1024 * 1024

/**
 * What one watcher is sent. Events wait for the head of the answer and for the end of the turn, then go out in one
 * write.
 */
export class EventStream implements WatchSink, Stream, Flushable {
  readonly form = 'stream'
  readonly #encode: EncodeEvent
  readonly #queue: FlushQueue
  readonly #count: (events: number) => void
  #output: Output | undefined
  #lines: Buffer[] = []
  #pendingBytes = 0
  #isQueued = false
  #isBlocked = false
  #isFinished = false
  #onUnblocked: (() => void)[] = []
  #onFirst: (() => void) | undefined

  constructor(encode: EncodeEvent, queue: FlushQueue, count: (events: number) => void) {
    this.#encode = encode
    this.#queue = queue
    this.#count = count
  }

  readonly start = (output: Output): void => {
    this.#output = output
    if (this.#isFinished) this.#end()
    else this.#enqueue()
  }

  /** Resolves with the first event. */
  started(): Promise<void> {
    if (this.#lines.length > 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onFirst = resolve
    })
  }

  send(events: readonly WatchEvent[]): boolean {
    if (this.#isFinished) return true
    this.#count(events.length)
    for (const event of events) this.#add(this.#encode(event))
    this.#enqueue()
    this.#onFirst?.()
    return !this.#isBlocked && this.#pendingBytes < maxPendingBytes
  }

  drained(): Promise<void> {
    if (!this.#isBlocked && this.#pendingBytes < maxPendingBytes) return Promise.resolve()
    return new Promise((resolve) => this.#onUnblocked.push(resolve))
  }

  flush(join: JoinLines): void {
    this.#isQueued = false
    if (this.#output === undefined || this.#isBlocked || this.#lines.length === 0) return
    const lines = this.#lines
    this.#lines = []
    this.#pendingBytes = 0
    if (this.#output.write(join(lines))) this.#unblock()
    else this.#block(this.#output)
  }

  /** The last line, when there is one, still goes out. A receiver that is behind is not waited for. */
  finish(lastLine?: Buffer): void {
    if (this.#isFinished) return
    this.#isFinished = true
    if (lastLine !== undefined) this.#add(lastLine)
    this.#unblockWaiting()
    if (this.#output !== undefined) this.#end()
  }

  #add(line: Buffer): void {
    this.#lines.push(line)
    this.#pendingBytes += line.length
  }

  #enqueue(): void {
    if (this.#isQueued || this.#output === undefined || this.#isBlocked || this.#lines.length === 0) return
    this.#isQueued = true
    this.#queue.add(this)
  }

  #block(output: Output): void {
    this.#isBlocked = true
    output.drained().then(() => {
      this.#isBlocked = false
      if (this.#isFinished) return
      this.#enqueue()
      if (this.#lines.length === 0) this.#unblockWaiting()
    })
  }

  #unblock(): void {
    if (this.#onUnblocked.length > 0) this.#unblockWaiting()
  }

  #unblockWaiting(): void {
    const waiting = this.#onUnblocked
    this.#onUnblocked = []
    for (const resolve of waiting) resolve()
  }

  #end(): void {
    const output = this.#output
    if (output === undefined) return
    if (this.#isBlocked) {
      output.destroy()
      return
    }
    if (this.#lines.length > 0) output.write(Buffer.concat(this.#lines))
    this.#lines = []
    output.end()
  }
}
