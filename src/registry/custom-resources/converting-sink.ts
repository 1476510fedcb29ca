import { ApiError, internalError } from '../../api/error.ts'
import { Pace } from '../../base/pace.ts'
import type { Document, WatchEvent, WatchSink } from '../contract.ts'
import { convertedEvent } from './converted-document.ts'

/** A watch may begin with all existing objects. */
const eventsPerStep = 100

/**
 * Converts the events of a watch of stored objects to another version. Events wait, in order, until they are converted.
 * If conversion fails, the watch ends with the reason, and the client lists again.
 */
export class ConvertingSink implements WatchSink {
  readonly #inner: WatchSink
  readonly #convert: (documents: readonly Document[]) => Promise<readonly Document[]>
  readonly #failed: AbortController
  readonly #ended: AbortSignal
  #passing: Promise<void> = Promise.resolve()

  constructor(
    inner: WatchSink,
    convert: (documents: readonly Document[]) => Promise<readonly Document[]>,
    failed: AbortController,
    ended: AbortSignal,
  ) {
    this.#inner = inner
    this.#convert = convert
    this.#failed = failed
    this.#ended = ended
  }

  /** Returns false: more events may follow once these are converted. */
  send(events: readonly WatchEvent[]): boolean {
    this.#passing = this.#passing.then(() => this.#pass(events))
    return false
  }

  drained(): Promise<void> {
    return this.#passing
  }

  async #pass(events: readonly WatchEvent[]): Promise<void> {
    const pace = new Pace()
    try {
      for (let start = 0; start < events.length; start += eventsPerStep) {
        if (this.#isOver()) return
        const step = await this.#converted(events.slice(start, start + eventsPerStep))
        if (!this.#inner.send(step)) await this.#inner.drained()
        await pace.step()
      }
    } catch (error) {
      if (this.#isOver()) return
      const { status } = error instanceof ApiError ? error : internalError('the objects could not be converted')
      this.#inner.send([{ type: 'ERROR', status }])
      this.#failed.abort()
    }
  }

  #isOver(): boolean {
    return this.#failed.signal.aborted || this.#ended.aborted
  }

  async #converted(events: readonly WatchEvent[]): Promise<readonly WatchEvent[]> {
    const documents = await this.#convert(events.flatMap((event) => ('document' in event ? [event.document] : [])))
    const waiting = [...documents]
    return events.map((event) => {
      const document = 'document' in event ? waiting.shift() : undefined
      return 'document' in event && document !== undefined ? convertedEvent(event.type, document) : event
    })
  }
}
