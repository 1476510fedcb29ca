import type { Kind } from '../../api/kind.ts'
import type { Hooks } from '../context.ts'
import { FollowedKinds } from '../controllers/followed-kinds.ts'
import type { ObjectRegistry } from '../registry.ts'
import { followStored, forgetStored } from './follow-stored.ts'
import { type Amount, Ledger } from './ledger.ts'
import { type InternalShortage, reservingRoom } from './quota.ts'
import { reservingBoth } from './reserving-both.ts'

const account = 'all'
/** The factor by which the limit is larger for the server's own writes. */
const timesForItself = 2
/** The server's own writes are never limited while the object stays this small: leases, conditions and the like. */
const alwaysSmall = 16 * 1024

/**
 * Limits what a whole server stores, of all kinds and by all callers: the administrator of a virtual cluster is a
 * tenant of the machine that it runs on. The server's own writes count too, and may exceed the limit for others. But a
 * tenant can make the server write large objects from small ones, such as the rules of aggregating roles and the
 * addresses behind Services, so they have a limit as well.
 */
export class Capacity {
  readonly #ledger: Ledger
  readonly #advice: string

  /** `advice`: what to do when there is no room. */
  constructor(limit: Amount, advice: string) {
    this.#ledger = new Ledger(limit)
    this.#advice = advice
  }

  readonly #internalShortage: InternalShortage = ({ bytes }, whose, wanted) =>
    bytes <= alwaysSmall ? undefined : this.#ledger.shortage(whose, wanted, timesForItself)

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
      internalShortage: this.#internalShortage,
    })
    return { ...hooks, reserve: reservingBoth(reserve, hooks.reserve) }
  }

  /**
   * Call it once the registry is loaded. Views are counted with the kinds that store their objects; kinds may be added
   * and removed.
   */
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
