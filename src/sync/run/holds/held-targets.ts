import type { Reference } from '../../contract.ts'

/** Requeues each owner when a target that it holds changes. */
export class HeldTargets {
  /** By owner: the functions that stop following its targets. */
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
