import type { Kind } from '../../api/kind.ts'
import type { Hooks } from '../context.ts'
import { FollowedKinds } from '../controllers/followed-kinds.ts'
import type { ObjectRegistry } from '../registry.ts'
import { followStored, forgetStored } from './follow-stored.ts'
import { type Amount, Ledger } from './ledger.ts'
import { reservingRoom } from './quota.ts'
import { reservingBoth } from './reserving-both.ts'

const account = 'all'

/**
 * How much a whole server keeps, of all kinds and by all callers: the administrator of a virtual cluster is a tenant of the
 * machine that it runs on. What the server itself writes counts, and is not refused.
 */
export class Capacity {
  readonly #ledger: Ledger
  readonly #advice: string

  /** `advice`: what to do where there is no room. */
  constructor(limit: Amount, advice: string) {
    this.#ledger = new Ledger(limit)
    this.#advice = advice
  }

  limitTo(limit: Amount): void {
    this.#ledger.limitTo(limit)
  }

  limiting(kind: Kind, hooks: Hooks): Hooks {
    const reserve = reservingRoom(kind, {
      ledger: this.#ledger,
      accountOf: () => account,
      describe: () => 'objects of this cluster',
      advice: this.#advice,
      isExempt: () => false,
    })
    return { ...hooks, reserve: reservingBoth(reserve, hooks.reserve) }
  }

  /** Once the registry is loaded. Kinds that are views of others are stored with those; kinds may come and go. */
  connect(registry: ObjectRegistry): void {
    new FollowedKinds(registry, ({ cache }) => {
      const stop = followStored(this.#ledger, cache, () => account)
      return () => {
        stop()
        forgetStored(this.#ledger, cache, () => account)
      }
    })
  }
}
