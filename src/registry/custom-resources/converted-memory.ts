import type { Clock } from '../../base/clock.ts'

/** For all definitions of a server together. */
const mostConvertedBytes = 64 * 1024 * 1024
/** After this time a repaired webhook is called again, even for unchanged objects. */
export const longestKeptMs = 5 * 60_000
/** The overhead of an entry. */
const entryBytes = 500

interface Entry {
  readonly bytes: number
  readonly untilMs: number
  readonly forget: () => void
}

/**
 * Limits how much is cached of what conversion webhooks have returned, and for how long. The oldest entry is dropped
 * first.
 */
export class ConvertedMemory {
  readonly #elapsed: Clock
  readonly #mostBytes: number
  /** In order of arrival. */
  readonly #entries = new Set<Entry>()
  #bytes = 0

  constructor(elapsed: Clock, mostBytes = mostConvertedBytes) {
    this.#elapsed = elapsed
    this.#mostBytes = mostBytes
  }

  /** Calls `forget` when the entry is dropped. An entry that its owner has dropped counts until then. */
  keep(bytes: number, forget: () => void): void {
    const entry = { bytes: bytes + entryBytes, untilMs: this.#elapsed.now() + longestKeptMs, forget }
    this.#entries.add(entry)
    this.#bytes += entry.bytes
    this.forgetOld()
  }

  forgetOld(): void {
    const nowMs = this.#elapsed.now()
    for (const entry of this.#entries) {
      if (this.#bytes <= this.#mostBytes && entry.untilMs > nowMs) return
      this.#entries.delete(entry)
      this.#bytes -= entry.bytes
      entry.forget()
    }
  }
}
