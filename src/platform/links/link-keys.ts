import type { Credential } from '../../api/access.ts'
import { linkLimits } from '../../api/link-limits.ts'
import { Pace } from '../../base/pace.ts'
import { pause } from '../../base/pause.ts'

/** A connection that lives on a key, and its reaction when the key ends. */
export interface CarriedByKey {
  /** Tells the other side that the connection ends; no further requests are sent on it. */
  revoked(reason: unknown): void
  cut(): void
}

interface Carrying {
  readonly carried: Set<CarriedByKey>
  /** Whether the key was revoked and its links are being cut. */
  isCut: boolean
  readonly stopListening: () => void
}

/**
 * The links that each access key carries at this replica. One listener waits for the revocation of a key, however many
 * links it carries; cutting them yields to the event loop.
 */
export class LinkKeys {
  /** Each value of a key has its own signal. */
  readonly #bySignal = new Map<AbortSignal, Carrying>()
  readonly #counts = new Map<string, number>()
  /** The number of open links whose keys were revoked. */
  #uncut = 0

  countOf(keyUid: string): number {
    return this.#counts.get(keyUid) ?? 0
  }

  /** Whether links of a revoked key are being cut. Work that can wait should wait until they are. */
  get isCutting(): boolean {
    return this.#uncut > 0
  }

  /** Returns a function that releases the link from the key. */
  carry(link: CarriedByKey, { keyUid }: Credential, signal: AbortSignal): () => void {
    if (signal.aborted) {
      link.revoked(signal.reason)
      setTimeout(() => link.cut(), linkLimits.lastWordsMs)
      return () => {}
    }
    const carrying = this.#bySignal.get(signal) ?? this.#begin(signal)
    carrying.carried.add(link)
    this.#count(keyUid, 1)
    return () => {
      this.#count(keyUid, -1)
      if (carrying.carried.delete(link) && carrying.isCut) this.#uncut -= 1
      if (carrying.carried.size > 0) return
      carrying.stopListening()
      this.#bySignal.delete(signal)
    }
  }

  #begin(signal: AbortSignal): Carrying {
    const carried = new Set<CarriedByKey>()
    const onAbort = () => {
      this.#bySignal.delete(signal)
      carrying.isCut = true
      this.#uncut += carried.size
      void cut(carried, signal.reason)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    const stopListening = () => signal.removeEventListener('abort', onAbort)
    const carrying: Carrying = { carried, isCut: false, stopListening }
    this.#bySignal.set(signal, carrying)
    return carrying
  }

  #count(keyUid: string, change: 1 | -1): void {
    const count = this.countOf(keyUid) + change
    if (count === 0) this.#counts.delete(keyUid)
    else this.#counts.set(keyUid, count)
  }
}

/**
 * All links are told before the first connection is closed, which takes several times as long. A link that another key
 * carries by then has left the set.
 */
async function cut(carried: ReadonlySet<CarriedByKey>, reason: unknown): Promise<void> {
  const pace = new Pace()
  for (const link of carried) {
    link.revoked(reason)
    await pace.step()
  }
  await pause(linkLimits.lastWordsMs)
  for (const link of carried) {
    link.cut()
    await pace.step()
  }
}
