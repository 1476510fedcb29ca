import type { Kind } from '../../api/kind.ts'
import type { Hooks } from '../context.ts'
import { FollowedKinds } from '../controllers/followed-kinds.ts'
import type { ObjectRegistry } from '../registry.ts'
import { followStored, forgetStored } from './follow-stored.ts'
import { type Amount, Ledger } from './ledger.ts'
import { type InternalShortage, reservingRoom } from './quota.ts'
import { reservingBoth } from './reserving-both.ts'

const account = 'all'
/** What the server itself writes has so many times the room. */
const timesForItself = 2
/** Or any, as long as the object stays this small: leases, conditions and the like. */
const alwaysSmall = 16 * 1024

/**
 * How much a whole server keeps, of all kinds and by all callers: the administrator of a virtual cluster is a tenant of the
 * machine that it runs on. What the server itself writes counts, and has room where others have none; but a tenant can have it write large objects
 * of small ones, such as the rules of aggregating roles and the addresses behind Services, so that it has an end, too.
 */
export class Capacity {
  readonly #ledger: Ledger
  readonly #advice: string

  /** `advice`: what to do where there is no room. */
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
