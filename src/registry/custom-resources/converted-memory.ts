import type { Clock } from '../../base/clock.ts'

/** Of all definitions of a server together. */
export const mostConvertedBytes = 64 * 1024 * 1024
/** A webhook that was mended is asked again, although the objects are the same. */
export const longestKeptMs = 5 * 60_000
/** What it takes to remember anything at all. */
const entryBytes = 500

interface Entry {
  readonly bytes: number
  readonly untilMs: number
  readonly forget: () => void
}

/** How much is remembered of what conversion webhooks have returned, and for how long. The oldest goes first. */
export class ConvertedMemory {
  readonly #elapsed: Clock
  readonly #mostBytes: number
  /** In the order in which they came. */
  readonly #entries = new Set<Entry>()
  #bytes = 0

  constructor(elapsed: Clock, mostBytes = mostConvertedBytes) {
    this.#elapsed = elapsed
    this.#mostBytes = mostBytes
  }

  /** `forget` is called when it has to go; what goes by itself counts until then. */
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
