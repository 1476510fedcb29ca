import type { CelResult } from './value.ts'

/** Caches the parts of a value, each converted once. Converting a scalar is as fast as looking it up. */
export class KeptValues<Key, Value extends CelResult> {
  #kept: Map<Key, Value> | undefined

  get(key: Key, make: () => Value): Value {
    const known = this.#kept?.get(key)
    if (known !== undefined) return known
    const made = make()
    if (typeof made !== 'object' || made === null) return made
    this.#kept ??= new Map()
    this.#kept.set(key, made)
    return made
  }
}
