import type { KubeObject } from '../../../api/object.ts'
import type { Clock } from '../../../base/clock.ts'
import type { IssuedEntries } from './issue-tokens.ts'

/** A Pod that waits for something else meanwhile gets tokens with all of their life before them. */
const freshMs = 10_000

interface Prepared {
  readonly atMs: number
  readonly entries: Promise<IssuedEntries>
}

/** Tokens that are asked for while it is worked out what becomes of their Pods. Those of a Pod that is not copied are never used. */
export class PreparedEntries {
  readonly #clock: Clock
  /** Of one state of a virtual Pod, and gone with it. */
  readonly #prepared = new WeakMap<KubeObject, Prepared>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  begin(pod: KubeObject, issue: () => Promise<IssuedEntries>): void {
    const prepared = { atMs: this.#clock.now(), entries: issue() }
    this.#prepared.set(pod, prepared)
    // Who has taken them is told. What was missing may be there by the time that they are needed.
    prepared.entries.catch(() => {
      if (this.#prepared.get(pod) === prepared) this.#prepared.delete(pod)
    })
  }

  /** Once: an attempt that failed asks anew. */
  take(pod: KubeObject): Promise<IssuedEntries> | undefined {
    const prepared = this.#prepared.get(pod)
    this.#prepared.delete(pod)
    const ageMs = prepared === undefined ? 0 : this.#clock.now() - prepared.atMs
    return ageMs >= 0 && ageMs < freshMs ? prepared?.entries : undefined
  }
}
