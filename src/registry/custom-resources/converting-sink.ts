import { ApiError, internalError } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import { Pace } from '../../base/pace.ts'
import type { Document, WatchEvent, WatchSink } from '../contract.ts'
import { convertedEvent } from './converted-document.ts'
import { selectedEvent } from './converted-selection.ts'

/** A watch may begin with all existing objects. */
const eventsPerStep = 100

interface Conversion {
  readonly convert: (documents: readonly Document[]) => Promise<readonly Document[]>
  /** Which converted objects the watch shows. Absent: all. */
  readonly matches: ((object: KubeObject) => boolean) | undefined
}

/**
 * Converts the events of a watch of stored objects to another version. Events wait, in order, until they are converted.
 * If conversion fails, the watch ends with the reason, and the client lists again.
 */
export class ConvertingSink implements WatchSink {
  readonly #inner: WatchSink
  readonly #convert: (documents: readonly Document[]) => Promise<readonly Document[]>
  readonly #matches: ((object: KubeObject) => boolean) | undefined
  readonly #failed: AbortController
  readonly #ended: AbortSignal
  #passing: Promise<void> = Promise.resolve()

  constructor(inner: WatchSink, { convert, matches }: Conversion, failed: AbortController, ended: AbortSignal) {
    this.#inner = inner
    this.#convert = convert
    this.#matches = matches
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
    const matches = this.#matches
    const sources = events.flatMap((event) => {
      if (!('document' in event)) return []
      return matches === undefined ? [event.document] : [event.document, ...previousOf(event)]
    })
    const documents = await this.#convert(sources)
    const converted = new Map(sources.map((source, index) => [source, documents[index]]))
    return events.flatMap((event) => {
      const document = 'document' in event ? converted.get(event.document) : undefined
      if (!('document' in event) || document === undefined) return [event]
      if (matches === undefined) return [convertedEvent(event.type, document)]
      const [previous] = previousOf(event)
      return selectedEvent(event.type, document, previous && converted.get(previous), matches) ?? []
    })
  }
}

/** Only a change can bring an object into a selection, or take it out. */
function previousOf({ type, previous }: Extract<WatchEvent, { readonly document: Document }>): readonly Document[] {
  return type === 'MODIFIED' && previous !== undefined ? [previous] : []
}
