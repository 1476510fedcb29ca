import type { Reference } from '../contract.ts'

/** Has each owner looked at again when there is news of what it holds. */
export class HeldTargets {
  /** By owner: what calls the others off. */
  readonly #callOffs = new Map<string, readonly (() => void)[]>()

  follow(owner: string, targets: readonly Reference[], awaits: (target: Reference) => () => void): void {
    this.forget(owner)
    if (targets.length > 0) this.#callOffs.set(owner, targets.map(awaits))
  }

  forget(owner: string): void {
    for (const callOff of this.#callOffs.get(owner) ?? []) callOff()
    this.#callOffs.delete(owner)
  }
}
