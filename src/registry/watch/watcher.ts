import type { Pacing } from '../../base/pace.ts'
import type { WatchEvent, WatchSink } from '../contract.ts'

const maxQueuedEvents = 20_000
/** As much as the history in memory keeps: a watcher that is ended for this resumes from there. */
const maxQueuedBytes = 8 * 1024 * 1024

/**
 * One receiver of events. Live events pass straight through while the receiver keeps up; otherwise they queue, and a
 * receiver that falls too far behind is ended: it resumes from the last revision that it saw, and nothing is lost.
 */
export class Watcher {
  readonly wantsBookmarks: boolean
  readonly #sink: WatchSink
  #queue: (readonly WatchEvent[])[] = []
  #queuedEvents = 0
  #queuedBytes = 0
  #passing = false
  #isEnded = false
  #end: () => void = () => {}
  readonly ended: Promise<void>

  constructor(sink: WatchSink, wantsBookmarks: boolean, signal: AbortSignal) {
    this.#sink = sink
    this.wantsBookmarks = wantsBookmarks
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
    if (signal.aborted) this.end()
    else signal.addEventListener('abort', () => this.end(), { once: true })
  }

  end(): void {
    this.#queue = []
    this.#queuedEvents = 0
    this.#queuedBytes = 0
    this.#passing = false
    this.#isEnded = true
    this.#end()
  }

  offer(events: readonly WatchEvent[]): void {
    if (events.length === 0 || this.#isEnded) return
    if (this.#passing) {
      if (!this.#sent(events)) this.#pause()
      return
    }
    this.#queue.push(events)
    this.#queuedEvents += events.length
    this.#queuedBytes += bytesOf(events)
    if (this.#queuedEvents > maxQueuedEvents || this.#queuedBytes > maxQueuedBytes) this.end()
  }

  /**
   * Sends the initial events, then those that queued up meanwhile, then lets live events pass. Each part is computed on
   * demand.
   */
  async begin(initial: Iterator<readonly WatchEvent[]>, pacing: Pacing): Promise<void> {
    for (;;) {
      if (pacing.isDue()) await Promise.race([pacing.rest(), this.ended])
      if (this.#isEnded) return
      const { done, value: events } = initial.next()
      if (done === true) break
      if (events.length > 0 && !this.#sink.send(events)) await Promise.race([this.#sink.drained(), this.ended])
    }
    await this.#flush()
  }

  /**
   * Live events come from the feed of all kinds: an object that cannot be shown in the requested form must end only
   * this watch.
   */
  #sent(events: readonly WatchEvent[]): boolean {
    try {
      return this.#sink.send(events)
    } catch {
      this.end()
      return true
    }
  }

  #pause(): void {
    this.#passing = false
    Promise.race([this.#sink.drained(), this.ended])
      .then(() => this.#flush())
      .catch(() => this.end())
  }

  async #flush(): Promise<void> {
    for (let events = this.#queue.shift(); events !== undefined; events = this.#queue.shift()) {
      this.#queuedEvents -= events.length
      this.#queuedBytes -= bytesOf(events)
      if (!this.#sink.send(events)) await Promise.race([this.#sink.drained(), this.ended])
    }
    this.#passing = !this.#isEnded
  }
}

function bytesOf(events: readonly WatchEvent[]): number {
  return events.reduce((sum, event) => sum + ('document' in event ? event.document.itemJson.length : 0), 0)
}
