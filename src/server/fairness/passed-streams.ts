import type { Readable } from 'node:stream'
import { Bag } from '../../base/bag.ts'
import { giveUp } from '../../client/forward/give-up.ts'
import { ArrivedPieces } from './arrived-pieces.ts'
import type { UnreadHolder, UnreadMemory } from './unread-memory.ts'

interface Passed {
  readonly arrived: ArrivedPieces
  readonly holder: UnreadHolder
}

const lookMs = 250

/**
 * Forwarded answers and both sides of forwarded connections, with the data of each that its reader has not taken: as
 * much as the other side may send ahead. A paused stream does not report when this grows, so all are checked from time to time.
 */
export class PassedStreams {
  readonly #memory: UnreadMemory
  readonly #passed = new Bag<Passed>()
  #looking: NodeJS.Timeout | undefined

  constructor(memory: UnreadMemory) {
    this.#memory = memory
  }

  add(owner: string, source: Readable): void {
    if (source.closed) return
    const holder = this.#memory.open(owner, () => giveUp(source))
    const place = this.#passed.add({ arrived: new ArrivedPieces(source), holder })
    source.once('close', () => {
      this.#passed.remove(place)
      holder.close()
    })
    this.#looking ??= setInterval(() => this.#look(), lookMs).unref()
  }

  stop(): void {
    clearInterval(this.#looking)
    this.#looking = undefined
  }

  #look(): void {
    for (const { item } of this.#passed) item.holder.set(item.arrived.heldBytes)
    if (this.#passed.size === 0) this.stop()
  }
}
