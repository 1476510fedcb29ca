import type { Credential } from '../../api/access.ts'
import { Pace } from '../../base/pace.ts'

/** What a key carries, and what happens to it when the key is void. */
export interface CarriedByKey {
  revoked(reason: unknown): void
}

interface Carrying {
  readonly carried: Set<CarriedByKey>
  readonly stopListening: () => void
}

/**
 * Which links each access key carries at this replica. One listener waits for the revocation of a key, however many links it
 * carries, and the event loop has its turns while they are cut.
 */
export class LinkKeys {
  /** Each value of a key has a signal of its own. */
  readonly #bySignal = new Map<AbortSignal, Carrying>()
  readonly #counts = new Map<string, number>()

  countOf(keyUid: string): number {
    return this.#counts.get(keyUid) ?? 0
  }

  /** Until what it returns is called. */
  carry(link: CarriedByKey, { keyUid }: Credential, signal: AbortSignal): () => void {
    if (signal.aborted) {
      link.revoked(signal.reason)
      return () => {}
    }
    const carrying = this.#bySignal.get(signal) ?? this.#begin(signal)
    carrying.carried.add(link)
    this.#count(keyUid, 1)
    return () => {
      this.#count(keyUid, -1)
      carrying.carried.delete(link)
      if (carrying.carried.size > 0) return
      carrying.stopListening()
      this.#bySignal.delete(signal)
    }
  }

  #begin(signal: AbortSignal): Carrying {
    const carried = new Set<CarriedByKey>()
    const onAbort = () => {
      this.#bySignal.delete(signal)
      void cut(carried, signal.reason)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    const carrying = { carried, stopListening: () => signal.removeEventListener('abort', onAbort) }
    this.#bySignal.set(signal, carrying)
    return carrying
  }

  #count(keyUid: string, change: 1 | -1): void {
    const count = this.countOf(keyUid) + change
    if (count === 0) this.#counts.delete(keyUid)
    else this.#counts.set(keyUid, count)
  }
}

async function cut(carried: ReadonlySet<CarriedByKey>, reason: unknown): Promise<void> {
  const pace = new Pace()
  for (const link of carried) {
    link.revoked(reason)
    await pace.step()
  }
}
