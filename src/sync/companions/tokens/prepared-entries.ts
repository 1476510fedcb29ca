import type { KubeObject } from '../../../api/object.ts'
import type { Clock } from '../../../base/clock.ts'
import type { IssuedEntries } from './issue-tokens.ts'

/** A Pod that waits for something else meanwhile gets tokens with their full lifetime. */
const freshMs = 10_000

interface Prepared {
  readonly atMs: number
  readonly entries: Promise<IssuedEntries>
}

/**
 * Tokens that are requested while their Pods are still being planned. Those of a Pod that is not copied are never used.
 */
export class PreparedEntries {
  readonly #clock: Clock
  /** For one state of a virtual Pod, released with it. */
  readonly #prepared = new WeakMap<KubeObject, Prepared>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  begin(pod: KubeObject, issue: () => Promise<IssuedEntries>): void {
    const prepared = { atMs: this.#clock.now(), entries: issue() }
    this.#prepared.set(pod, prepared)
    // A caller that has taken them gets the error. What was missing may exist when they are needed again.
    prepared.entries.catch(() => {
      if (this.#prepared.get(pod) === prepared) this.#prepared.delete(pod)
    })
  }

  /** Returned once: after a failed attempt they are requested again. */
  take(pod: KubeObject): Promise<IssuedEntries> | undefined {
    const prepared = this.#prepared.get(pod)
    this.#prepared.delete(pod)
    const ageMs = prepared === undefined ? 0 : this.#clock.now() - prepared.atMs
    return ageMs >= 0 && ageMs < freshMs ? prepared?.entries : undefined
  }
}
