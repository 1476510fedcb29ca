import type { UnreadMemory } from '../fairness/unread-memory.ts'
import { requestOver } from '../request/request-over.ts'
import { FlushQueue } from './flush-queue.ts'
import { SharedFrames } from './shared-frames.ts'

const endingSoonMs = 2_000

/** One running watch: its signals, until it ends for whatever reason. */
export interface WatchLifetime {
  readonly signal: AbortSignal
  readonly endingSoon: AbortSignal
  /** Removes timers and listeners. Must be called once the watch has ended. */
  release(): void
}

/** The open watches of this server. */
export class Watches {
  readonly queue = new FlushQueue()
  readonly frames = new SharedFrames()
  /** Memory held for readers that are behind. */
  readonly unread: UnreadMemory
  eventsSent = 0
  readonly #ends = new Set<() => void>()
  #isClosed = false

  constructor(unread: UnreadMemory) {
    this.unread = unread
  }

  get size(): number {
    return this.#ends.size
  }

  readonly countEvents = (events: number): void => {
    this.eventsSent += events
  }

  /** `cuts`: signals that end the watch, for example when the client disconnects or its access key is revoked. */
  open(cuts: readonly AbortSignal[], timeoutMs: number): WatchLifetime {
    const ending = new AbortController()
    const soon = new AbortController()
    const end = () => ending.abort(requestOver)
    const isShort = timeoutMs <= endingSoonMs
    const timers = [
      setTimeout(end, timeoutMs),
      ...(isShort ? [] : [setTimeout(() => soon.abort(requestOver), timeoutMs - endingSoonMs)]),
    ]
    for (const cut of cuts) cut.addEventListener('abort', end, { once: true })
    this.#ends.add(end)
    if (this.#isClosed || cuts.some((cut) => cut.aborted)) end()
    const release = () => {
      for (const timer of timers) clearTimeout(timer)
      for (const cut of cuts) cut.removeEventListener('abort', end)
      this.#ends.delete(end)
    }
    return { signal: ending.signal, endingSoon: soon.signal, release }
  }

  /** Ends all watches cleanly, and later ones at once. */
  close(): void {
    this.#isClosed = true
    for (const end of this.#ends) end()
  }
}
