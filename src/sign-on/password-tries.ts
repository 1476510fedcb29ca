import type { Clock } from '../base/clock.ts'
import { LeakyBuckets } from '../base/leaky-buckets.ts'
import { networkOf } from '../base/network-of.ts'
import { alikeName } from './alike-names.ts'

/** Tries from one network, behind which there may be an office: 100 at once, then one a second. */
const ofNetwork = { burst: 100, refillMs: 1_000, most: 10_000 }
/** Tries with one name, from wherever: 20 at once, then one in 15 seconds. */
const ofName = { burst: 20, refillMs: 15_000, most: 100_000 }
/** Names with a network from which they got in; the one that did so longest ago is forgotten first. */
const mostKnown = 10_000

export interface PasswordTry {
  readonly connector: string
  readonly username: string
  readonly address: string
}

/**
 * How many passwords may be tried. A name that got in from a network has tries of its own there: others who try passwords for it elsewhere,
 * as many as they may, do not keep the user out.
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

/** Spellings that a directory may take for one name are one. */
function nameOf({ connector, username }: PasswordTry): string {
  return JSON.stringify([connector, alikeName(username)])
}

function placeOf(tried: PasswordTry): string {
  return `${networkIn(tried)} ${nameOf(tried)}`
}

function networkIn({ address }: PasswordTry): string {
  return networkOf(address, 48)
}
