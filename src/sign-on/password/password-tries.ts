import type { Clock } from '../../base/clock.ts'
import { LeakyBuckets } from '../../base/leaky-buckets.ts'
import { networkOf } from '../../base/network/network-of.ts'
import { triedName } from './tried-name.ts'

/** Tries from one network, which may be that of an office: 100 at once, then one per second. */
const ofNetwork = { burst: 100, refillMs: 1_000, most: 10_000 }
/** Tries with one name, from anywhere: 20 at once, then one every 15 seconds. */
const ofName = { burst: 20, refillMs: 15_000, most: 100_000 }
/** Names with a network from which they have signed in; the least recent one is forgotten first. */
const mostKnown = 10_000

export interface PasswordTry {
  readonly connector: string
  readonly username: string
  readonly address: string
}

/**
 * Limits how many passwords may be tried. A name that has signed in from a network has separate tries there: attackers
 * elsewhere cannot lock the user out.
 */
export class PasswordTries {
  readonly #networks: LeakyBuckets
  readonly #names: LeakyBuckets
  readonly #known = new Set<string>()

  constructor(clock: Clock) {
    this.#networks = new LeakyBuckets({ clock, ...ofNetwork })
    this.#names = new LeakyBuckets({ clock, ...ofName })
  }

  /** Whether there is one left. */
  take(tried: PasswordTry): boolean {
    const place = placeOf(tried)
    const name = this.#known.has(place) ? place : nameOf(tried)
    return this.#networks.add(networkIn(tried)) === 0 && this.#names.add(name) === 0
  }

  succeeded(tried: PasswordTry): void {
    const place = placeOf(tried)
    this.#known.delete(place)
    this.#known.add(place)
    const [oldest] = this.#known
    if (this.#known.size > mostKnown && oldest !== undefined) this.#known.delete(oldest)
  }
}

function nameOf({ connector, username }: PasswordTry): string {
  return triedName(connector, username)
}

function placeOf(tried: PasswordTry): string {
  return `${networkIn(tried)} ${nameOf(tried)}`
}

function networkIn({ address }: PasswordTry): string {
  return networkOf(address, 48)
}
